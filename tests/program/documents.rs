//! Paths that ARCHITECTURE.md and CONTRIBUTING.md name are there, and their lines are short.

use crate::common::files_below;
use std::path::Path;

/// Words that begin like this are paths.
const FOLDERS: &[&str] = &["src/", "crates/", "tests/", "examples/", "fuzz/", "benches/", ".ci/", ".github/"];
/// Words that end like this are paths, too.
const ENDINGS: &[&str] = &[".md", ".toml"];

fn paths(text: &str) -> Vec<&str> {
    let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || "._/-".contains(c)));
    let words = words.map(|word| word.trim_end_matches('.'));
    let is_path = |word: &&str| {
        FOLDERS.iter().any(|folder| word.starts_with(folder)) || ENDINGS.iter().any(|ending| word.ends_with(ending))
    };
    let links = text.split("](").skip(1).filter_map(|rest| rest.split([')', '#']).next());
    words.filter(is_path).chain(links.filter(|link| !link.contains("://"))).collect()
}

#[test]
fn documents_for_contributors_name_only_files_that_exist() {
    let root = Path::new(root!());
    for name in ["ARCHITECTURE.md", "CONTRIBUTING.md"] {
        let text = std::fs::read_to_string(root.join(name)).unwrap();
        let paths = paths(&text);
        assert!(paths.len() > 20, "{name}: {paths:?}");
        let missing: Vec<_> = paths.into_iter().filter(|path| !root.join(path).exists()).collect();
        assert!(missing.is_empty(), "{name} names what is not there: {missing:?}");
        for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.starts_with('|')) {
            assert!(line.chars().count() <= 120, "{name}:{}: {line}", number + 1);
        }
    }
}

#[test]
fn paths_are_found_in_words_links_and_code() {
    let text = "See `src/lib.rs`, [this](LICENSE-MIT) and [that](protocol.md#top).\n.ci/run # [far](https://a.example)";
    assert_eq!(paths(text), ["src/lib.rs", "protocol.md", ".ci/run", "LICENSE-MIT", "protocol.md"]);
}

/// A line's prose without its code, which cannot be broken: nothing in tables, in blocks of code, and
/// in pictures with the position that they show.
fn prose(line: &str, is_markdown: bool, in_code: &mut bool) -> String {
    let comment = if is_markdown { Some(line) } else { line.trim_start().strip_prefix("//") };
    let Some(text) = comment.map(|text| text.trim_start_matches(['/', '!']).trim()) else { return String::new() };
    *in_code ^= text.starts_with("```");
    if *in_code || text.starts_with('|') || (is_markdown && line.starts_with("![")) {
        return String::new();
    }
    line.split('`').step_by(2).collect()
}

#[test]
fn lines_of_prose_end_before_column_120() {
    let root = Path::new(root!());
    let mut all = ["README.md", "protocol.md", "CHANGELOG.md"].map(|name| root.join(name)).to_vec();
    ["docs", "src", "crates", "tests", "examples", "benches"]
        .iter()
        .for_each(|folder| all.extend(files_below(&root.join(folder), &["rs", "md"])));
    let (mut seen, mut too_long) = (0, Vec::new());
    for path in all {
        let (text, mut in_code) = (std::fs::read_to_string(&path).unwrap(), false);
        let is_markdown = path.extension().is_some_and(|extension| extension == "md");
        for (number, line) in text.lines().enumerate() {
            let length = prose(line, is_markdown, &mut in_code).chars().count();
            if length > 120 {
                too_long.push(format!("{}:{}: {length} characters", path.display(), number + 1));
            }
            seen += usize::from(length > 0);
        }
    }
    assert!(too_long.is_empty(), "{too_long:#?}");
    assert!(seen > 4_000, "{seen}");
    let long = "a".repeat(121);
    assert_eq!(prose(&format!("/// {long}"), false, &mut false).chars().count(), 125);
    assert_eq!(prose(&format!("/// `{long}` b"), false, &mut false), "///  b");
}

/// A page begins with who reads it, and what for.
#[test]
fn every_page_has_its_reader_at_its_head() {
    let root = Path::new(root!());
    let mut pages = files_below(&root.join("docs"), &["md"]);
    pages.extend(files_below(&root.join("python/docs"), &["md"]));
    for name in ["python/README.md", "web/package/README.md", "protocol.md", "CONTRIBUTING.md", "ARCHITECTURE.md"] {
        pages.push(root.join(name));
    }
    for page in pages {
        let text = std::fs::read_to_string(&page).unwrap();
        let first = text.lines().find(|line| !line.is_empty() && !line.starts_with('#')).unwrap();
        assert!(first.starts_with("For "), "{}: {first}", page.display());
    }
}

/// A tag `v` and this version is a release: the workflow compares the two.
#[test]
fn all_packages_and_the_changelog_name_one_version() {
    let root = Path::new(root!());
    let read = |name: &str| std::fs::read_to_string(root.join(name)).unwrap();
    let version = env!("CARGO_PKG_VERSION");
    for folder in [
        ".",
        "crates/app",
        "crates/lab",
        "crates/protocol",
        "crates/research",
        "crates/rules",
        "python",
        "web/engine",
        "xtask",
        "xtask/wasm",
    ] {
        assert!(read(&format!("{folder}/Cargo.toml")).contains("\nversion.workspace = true\n"), "{folder}");
        // What is published has the licences beside it.
        let licences = ["LICENSE-MIT", "LICENSE-APACHE"].map(|name| root.join(folder).join(name).exists());
        assert!(licences == [true; 2] || !folder.starts_with("crates/"), "{folder}");
    }
    for name in
        ["hippolyta", "hippolyta-app", "hippolyta-lab", "hippolyta-protocol", "hippolyta-research", "hippolyta-rules"]
    {
        let required = format!("\n{name} = {{ path = \"");
        let line = read("Cargo.toml").split_once(&required).unwrap().1.lines().next().unwrap().to_owned();
        assert!(line.ends_with(&format!("version = \"{version}\" }}")), "{name}: {line}");
    }
    for name in ["web/package.json", "web/package-lock.json", "web/package/package.json"] {
        let package: serde_json::Value = serde_json::from_str(&read(name)).unwrap();
        assert_eq!(package["version"], version, "{name}");
    }
    let changes = read("CHANGELOG.md");
    let (_, newest) = changes.split_once("\n## [Unreleased]\n").unwrap();
    let (_, newest) = newest.split_once("\n## [").unwrap();
    let (found, rest) = newest.split_once("] - ").unwrap();
    assert_eq!(found, version, "the newest release in CHANGELOG.md");
    let date: Vec<_> = rest.lines().next().unwrap().split('-').map(str::len).collect();
    assert_eq!(date, [4, 2, 2]);
}

/// The draws that the program expects of a match are those that the page on starts has counted.
#[test]
fn usual_draws_are_those_that_were_counted() {
    let text = std::fs::read_to_string(concat!(root!(), "/docs/starts.md")).unwrap();
    let (_, text) = text.split_once("## Games at a long time control").unwrap();
    for variant in hippolyta::games::variant::VARIANTS {
        let begin = format!("| `{}` | ", variant.name());
        let row = text.lines().find_map(|line| line.strip_prefix(&begin)).unwrap();
        let numbers: Vec<u64> = row.split(" | ").take(3).map(|cell| cell.parse().unwrap()).collect();
        assert_eq!(u64::from(variant.drawn().unwrap()), numbers[2] * 100 / numbers[0], "{}", variant.name());
    }
}

/// What a client writes into a query for an analysis and finds in its answer.
#[test]
fn the_reference_of_the_json_lines_has_every_field_of_an_analysis() {
    let text = std::fs::read_to_string(concat!(root!(), "/docs/protocols/json-lines.md")).unwrap();
    let code: Vec<_> = text.split('`').skip(1).step_by(2).collect();
    let schema = crate::schema::whole();
    let (mut kinds, mut next) = (vec!["AnalyseQuery".to_owned(), "Analysis".to_owned()], 0);
    while let Some(kind) = kinds.get(next) {
        let of_kind = &schema["$defs"][kind];
        for field in of_kind["properties"].as_object().into_iter().flat_map(|fields| fields.keys()) {
            let is_named = code.iter().any(|code| code.split(|c: char| !c.is_alphanumeric()).any(|word| word == field));
            assert!(is_named, "{kind}: {field}");
        }
        let of_kind = of_kind.to_string();
        let found = of_kind.split("\"#/$defs/").skip(1).filter_map(|rest| rest.split('"').next());
        let new: Vec<_> = found.filter(|&found| !kinds.iter().any(|kind| kind == found)).map(str::to_owned).collect();
        kinds.extend(new);
        next += 1;
    }
    assert!(next > 10, "{kinds:?}");
}
