//! What ARCHITECTURE.md and CONTRIBUTING.md name is there, and their lines are short.

use std::path::Path;

/// Words that begin like this are paths.
const FOLDERS: &[&str] = &["src/", "tests/", "examples/", "fuzz/", "benches/", ".ci/", ".github/"];
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
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
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
