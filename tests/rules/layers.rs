//! Each layer uses only what stands below it.

use crate::common::files_below;
use std::fs;
use std::iter::Peekable;
use std::path::{Path, PathBuf};
use std::str::Chars;

/// Bottom to top.
const LAYERS: &[&str] = &[
    "board", "games", "endgame", "eval", "search", "engine", "pictures", "records", "review", "protocol", "arena",
    "training", "proving", "problems", "commands",
];

/// The modules of `src/search`, bottom to top. `mod` is `src/search/mod.rs` itself, with all that it re-exports.
const SEARCH: &[&str] = &[
    "parameters",
    "control",
    "limits",
    "report",
    "settings",
    "task",
    "progress",
    "time",
    "table",
    "tree",
    "ranking",
    "simulation",
    "worker",
    "unsearched",
    "root",
    "store",
    "proof",
    "supervisor",
    "desk",
    "round",
    "run",
    "mod",
    "statistics",
];

/// The paths of the Rust files below `folder`, and what they hold.
fn sources(folder: &Path) -> Vec<(String, String)> {
    let text = |path: PathBuf| (path.display().to_string(), fs::read_to_string(&path).unwrap());
    files_below(folder, &["rs"]).into_iter().map(text).collect()
}

#[test]
fn no_layer_knows_one_above_it() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut seen = 0;
    for (height, layer) in LAYERS.iter().enumerate() {
        for (path, text) in sources(&root.join(layer)) {
            for (number, line) in text.lines().enumerate() {
                for prefix in ["crate::", "hippolyta::"] {
                    for after in line.split(prefix).skip(1).filter(|_| !line.trim_start().starts_with("//")) {
                        let used = after.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next().unwrap();
                        if let Some(depth) = LAYERS.iter().position(|name| *name == used) {
                            assert!(depth <= height, "{path}:{}: {layer} uses {used}", number + 1);
                            seen += 1;
                        }
                    }
                }
            }
        }
    }
    assert!(seen > 50, "{seen}");
}

/// The modules of `training`, bottom to top. A folder's `mod.rs` has the name of the folder.
const TRAINING: &[&str] = &[
    "fingerprint",
    "record",
    "subject",
    "selfplay::options",
    "selfplay::error",
    "selfplay::run",
    "selfplay::opening",
    "selfplay::sampling",
    "selfplay::player",
    "selfplay::partial",
    "selfplay",
    "merge",
    "fit::options",
    "fit::error",
    "fit::losses",
    "fit::odds",
    "fit::optimiser",
    "fit::shapes",
    "fit::network",
    "fit::step_shapes",
    "fit::softmax",
    "fit::owners",
    "fit::data",
    "fit::start",
    "curves",
    "check",
    "calibrate",
    "fit::checkpoint",
    "fit::identity",
    "fit::progress",
    "fit",
    "learn::error",
    "learn::settings",
    "learn::sealed",
    "learn::files",
    "learn::gate",
    "learn::results",
    "learn::chart",
    "learn::report",
    "learn::folder",
    "learn::steps",
    "learn",
];

/// Adds the paths that `code` begins with to `paths`, each after `prefix`: one, or all of a group in braces.
fn add_paths(code: &mut Peekable<Chars<'_>>, prefix: &str, paths: &mut Vec<String>) {
    let mut path = prefix.to_owned();
    while let Some(c) = code.next_if(|c| c.is_ascii_alphanumeric() || "_:".contains(*c)) {
        path.push(c);
    }
    if code.next_if_eq(&'{').is_none() {
        paths.push(path);
        return;
    }
    loop {
        while code.next_if(|c| c.is_whitespace()).is_some() {}
        if code.next_if_eq(&'}').is_some() {
            return;
        }
        add_paths(code, &path, paths);
        // Past `as` and a new name.
        if code.find(|c| ",}".contains(*c)) != Some(',') {
            return;
        }
    }
}

/// The modules of a layer that the code of one of them names, as paths within the layer, each with the number of its
/// line: `super::…` and `crate::LAYER::…`.
fn used(layer: &str, module: &[&str], code: &str) -> Vec<(usize, String)> {
    let far = format!("crate::{layer}::");
    let mut found = Vec::new();
    for (prefix, skipped, above) in [("super::", 0, module), (&far, far.len(), &[][..])] {
        let mut end = 0;
        for (place, _) in code.match_indices(prefix) {
            let before = &code[..place];
            let is_within = before.ends_with(|c: char| c.is_ascii_alphanumeric() || "_:".contains(c));
            // `pub(in …)` uses nothing.
            if place < end || is_within || before.ends_with("(in ") {
                continue;
            }
            let start = place + skipped;
            let (mut rest, mut paths) = (code[start..].chars().peekable(), Vec::new());
            add_paths(&mut rest, "", &mut paths);
            end = code.len() - rest.map(char::len_utf8).sum::<usize>();
            for path in paths {
                let (mut above, mut path) = (above, path.as_str());
                while let (Some(rest), Some((_, higher))) = (path.strip_prefix("super::"), above.split_last()) {
                    (above, path) = (higher, rest);
                }
                let line = code[..place].matches('\n').count() + 1;
                found.push((line, [above, &path.split("::").collect::<Vec<_>>()].concat().join("::")));
            }
        }
    }
    found
}

/// Where a module, or what a path names in it, stands in an order.
fn height(order: &[&str], path: &str) -> Option<usize> {
    let is_in = |module: &str| path.strip_prefix(module).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"));
    let modules = order.iter().enumerate().filter(|(_, module)| is_in(module));
    modules.max_by_key(|(_, module)| module.len()).map(|(height, _)| height)
}

/// What is wrong with a file of a layer: a name of a module above its own. A name that the order lacks is one of
/// `otherwise`, or wrong if there is no such module. Tests, at the end of the file, are a module within it.
fn uses_above(
    layer: &str,
    order: &[&str],
    otherwise: Option<&str>,
    module: &str,
    text: &str,
    seen: &mut usize,
) -> Vec<String> {
    let blank = |line: &str| line.split("//").next().unwrap().to_owned();
    let code = text.lines().map(blank).collect::<Vec<_>>().join("\n");
    let (code, tests) = code.split_once("mod tests {").unwrap_or((&code, ""));
    let place = |path: &str| height(order, path).or(otherwise.and_then(|other| height(order, other)));
    let (own, words) = (height(order, module), module.split("::").collect::<Vec<_>>());
    let mut wrong = Vec::new();
    for (part, words) in [(code, words.clone()), (tests, [&words[..], &["tests"]].concat())] {
        for (line, path) in used(layer, &words, part) {
            *seen += 1;
            if place(&path).zip(own).is_none_or(|(used, own)| used > own) {
                wrong.push(format!("{module}:{line}: {path}"));
            }
        }
    }
    wrong
}

/// What is wrong in all files of a layer, with how many names were seen in how many files. Its `mod.rs` may name
/// everything.
fn wrong_in(layer: &str, order: &[&str], otherwise: Option<&str>) -> (Vec<String>, usize, usize) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(layer);
    let (files, mut seen, mut wrong) = (sources(&root), 0, Vec::new());
    for (path, text) in &files {
        let path = Path::new(path).strip_prefix(&root).unwrap().with_extension("");
        let mut words: Vec<_> = path.iter().map(|word| word.to_str().unwrap()).collect();
        words.pop_if(|word| *word == "mod");
        if !words.is_empty() {
            wrong.extend(uses_above(layer, order, otherwise, &words.join("::"), text, &mut seen));
        }
    }
    (wrong, seen, files.len())
}

#[test]
fn no_module_of_training_knows_one_above_it() {
    let (wrong, seen, files) = wrong_in("training", TRAINING, None);
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(seen > 50 && files == TRAINING.len() + 1, "{seen} {files}");
}

#[test]
fn no_module_of_the_search_knows_one_above_it() {
    // What is no module is something that mod.rs defines or re-exports.
    let (wrong, seen, files) = wrong_in("search", SEARCH, Some("mod"));
    assert!(wrong.is_empty(), "{wrong:#?}");
    // The tree has three files.
    assert!(seen > 50 && files == SEARCH.len() + 2, "{seen} {files}");
}

#[test]
fn names_are_found_in_all_forms_of_use() {
    let found =
        |code: &str| used("house", &["room", "low"], code).into_iter().map(|(_, path)| path).collect::<Vec<_>>();
    assert_eq!(found("use super::a::B; super::super::c(); xsuper::d"), ["room::a::B", "c"]);
    assert_eq!(
        found("use super::{a::{B, C as X}, d,\n    super::e::F,\n};\nf"),
        ["room::a::B", "room::a::C", "room::d", "e::F"]
    );
    assert_eq!(found("pub(in crate::house::hall) x; use crate::house::room::y;"), ["room::y"]);
    assert_eq!(used("house", &["low"], "\n\nuse super::a;"), [(3, "a".to_owned())]);
}

#[test]
fn names_from_above_are_found() {
    let order = ["low", "room::low", "room"];
    let wrong = |module: &str, line: &str| uses_above("house", &order, None, module, line, &mut 0).len();
    for (module, line) in [
        ("room", "use crate::house::low::Thing;"),
        ("room", "use super::low::{Thing, Other};"),
        ("room::low", "use super::super::low;"),
        ("room::low", "use crate::house::room::low::Thing; // not super::Thing"),
        ("low", "use crate::home::room::Thing;"),
        ("low", "/// See super::room::Thing.\n#[cfg(test)]\nmod tests {\n    use super::Thing;"),
    ] {
        assert_eq!(wrong(module, line), 0, "{module}: {line}");
    }
    for (module, line) in [
        ("low", "use super::room::Thing;"),
        ("low", "use crate::house::room::low::Thing;"),
        ("low", "    let x = super::room::make();"),
        ("low", "#[cfg(test)]\nmod tests {\n    use super::super::room::Thing;"),
        ("room::low", "use super::Thing;"),
        ("room::low", "use super::super::room;"),
        ("room::low", "use crate::house::room::Thing;"),
        ("room", "use super::attic::Thing;"),
        ("room", "use super::{attic, low};"),
        ("attic", "use super::low;"),
    ] {
        assert_eq!(wrong(module, line), 1, "{module}: {line}");
    }
    assert_eq!(uses_above("house", &order, Some("low"), "room", "use super::attic;", &mut 0), [""; 0]);
}
