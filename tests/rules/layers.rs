//! Each layer uses only what stands below it.

use crate::common::files_below;
use std::fs;
use std::path::{Path, PathBuf};

/// Bottom to top.
const LAYERS: &[&str] =
    &["board", "games", "endgame", "eval", "search", "engine", "protocol", "arena", "training", "commands"];

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

/// The names that follow `prefix` in `code`: one, or all of a group in braces, each without what stands below it.
fn names_after(code: &str, prefix: &str) -> Vec<String> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut names = Vec::new();
    for (place, _) in code.match_indices(prefix) {
        if code[..place].ends_with(|c: char| is_part(c) || c == ':') {
            continue;
        }
        let (mut depth, mut name, mut is_first) = (0, String::new(), true);
        for c in code[place + prefix.len()..].chars() {
            match c {
                '{' => depth += 1,
                '}' => depth -= 1,
                _ if is_part(c) && is_first && depth < 2 => name.push(c),
                ',' if depth == 1 => {
                    names.push(std::mem::take(&mut name));
                    is_first = true;
                }
                c => is_first &= c.is_whitespace(),
            }
            if depth == 0 && !is_part(c) {
                break;
            }
        }
        names.push(name);
    }
    names.retain(|name| !name.is_empty());
    names
}

/// What a module of `src/search` uses of the others. `inside`: the file lies in a folder of the module.
fn used_in_search(text: &str, inside: bool) -> Vec<String> {
    let is_code = |line: &&str| !line.trim_start().starts_with("//");
    let code = text.lines().filter(is_code).collect::<Vec<_>>().join("\n");
    // In its tests, `super` is the module itself.
    let (code, tests) = code.split_once("#[cfg(test)]\nmod tests {").unwrap_or((&code, ""));
    let (near, far) = ("super::", "super::super::");
    let mut used = names_after(code, if inside { far } else { near });
    used.extend(names_after(tests, if inside { "super::super::super::" } else { far }));
    for part in [code, tests] {
        used.extend(names_after(part, "crate::search::"));
    }
    used
}

#[test]
fn names_are_found_in_all_forms_of_use() {
    assert_eq!(names_after("use super::a::B; super::c(); xsuper::d", "super::"), ["a", "c"]);
    assert_eq!(names_after("use super::{a::{B, C}, d,\n    e::F,\n};\nf", "super::"), ["a", "d", "e"]);
    let text = "use super::a;\n// super::b\n#[cfg(test)]\nmod tests {\n    use super::c;\n    use super::super::d;\n}";
    assert_eq!(used_in_search(text, false), ["a", "d"]);
    assert_eq!(used_in_search("use super::node; use crate::search::table; pub(in crate::search) x", true), ["table"]);
}

#[test]
fn no_module_of_the_search_uses_one_above_it() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/search");
    let mut seen = 0;
    for (path, text) in sources(&root) {
        let inside = Path::new(&path).strip_prefix(&root).unwrap();
        let module = inside.iter().next().unwrap().to_str().unwrap().trim_end_matches(".rs");
        let height_of = |name: &str| SEARCH.iter().position(|module| *module == name);
        let height = height_of(module).unwrap_or_else(|| panic!("{path}: {module} has no place in the order"));
        if inside == Path::new("mod.rs") {
            continue;
        }
        let is_file_of_folder = inside.iter().count() > 1 && !inside.ends_with("mod.rs");
        for used in used_in_search(&text, is_file_of_folder) {
            // What is no module is something that mod.rs defines or re-exports.
            let depth = height_of(&used).or(height_of("mod")).unwrap();
            assert!(depth <= height, "{path}: {module} uses {used}");
            seen += 1;
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
    "selfplay::run",
    "selfplay::error",
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
    "fit::network",
    "fit::softmax",
    "fit::data",
    "curves",
    "check",
    "calibrate",
    "fit::checkpoint",
    "fit::identity",
    "fit::progress",
    "fit::start",
    "fit",
];

/// The modules that a line of `module` names, as paths within the layer: `super::…` and `crate::LAYER::…`.
fn named(layer: &str, module: &[&str], line: &str) -> Vec<String> {
    let mut found = Vec::new();
    let code = line.split("//").next().unwrap();
    for mut path in code.split(|c: char| !c.is_ascii_alphanumeric() && c != '_' && c != ':') {
        let mut from = module;
        if let Some(rest) = path.strip_prefix(&format!("crate::{layer}::")) {
            (from, path) = (&[], rest);
        } else if !path.starts_with("super::") {
            continue;
        }
        while let (Some(rest), Some((_, above))) = (path.strip_prefix("super::"), from.split_last()) {
            (from, path) = (above, rest);
        }
        found.push([from, &path.split("::").collect::<Vec<_>>()].concat().join("::"));
    }
    found
}

/// Where a module, or what a path names in it, stands in an order.
fn height(order: &[&str], path: &str) -> Option<usize> {
    let is_in = |module: &str| path.strip_prefix(module).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"));
    let modules = order.iter().enumerate().filter(|(_, module)| is_in(module));
    modules.max_by_key(|(_, module)| module.len()).map(|(height, _)| height)
}

/// What is wrong with a file of a layer: lines that name a module above its own, or one that the order lacks. Its
/// tests, at its end, may use anything.
fn uses_above(layer: &str, order: &[&str], module: &str, text: &str, seen: &mut usize) -> Vec<String> {
    let words: Vec<_> = module.split("::").collect();
    let code = text.split("\n#[cfg(test)]").next().unwrap();
    let mut wrong = Vec::new();
    for (number, line) in code.lines().enumerate() {
        for used in named(layer, &words, line) {
            *seen += 1;
            let heights = height(order, &used).zip(order.iter().position(|known| *known == module));
            if heights.is_none_or(|(used, own)| used > own) {
                wrong.push(format!("{module}:{}: {used}", number + 1));
            }
        }
    }
    wrong
}

#[test]
fn no_module_of_training_knows_one_above_it() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/training");
    let (files, mut seen, mut wrong) = (sources(&root), 0, Vec::new());
    for (path, text) in &files {
        let path = Path::new(path).strip_prefix(&root).unwrap().with_extension("");
        let mut words: Vec<_> = path.iter().map(|word| word.to_str().unwrap()).collect();
        words.pop_if(|word| *word == "mod");
        // The layer's own `mod.rs` stands above all.
        if !words.is_empty() {
            wrong.extend(uses_above("training", TRAINING, &words.join("::"), text, &mut seen));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(seen > 50 && files.len() == TRAINING.len() + 1, "{seen} {}", files.len());
}

#[test]
fn names_from_above_are_found() {
    let order = ["low", "room::low", "room"];
    let wrong = |module: &str, line: &str| uses_above("house", &order, module, line, &mut 0).len();
    for (module, line) in [
        ("room", "use crate::house::low::Thing;"),
        ("room", "use super::low::{Thing, Other};"),
        ("room::low", "use super::super::low;"),
        ("room::low", "use crate::house::room::low::Thing; // not super::Thing"),
        ("low", "use crate::home::room::Thing;"),
        ("low", "/// See super::room::Thing.\n#[cfg(test)]\nmod tests {\n    use super::room::Thing;"),
    ] {
        assert_eq!(wrong(module, line), 0, "{module}: {line}");
    }
    for (module, line) in [
        ("low", "use super::room::Thing;"),
        ("low", "use crate::house::room::low::Thing;"),
        ("low", "    let x = super::room::make();"),
        ("room::low", "use super::Thing;"),
        ("room::low", "use super::super::room;"),
        ("room::low", "use crate::house::room::Thing;"),
        ("room", "use super::attic::Thing;"),
        ("room", "use super::{attic, low};"),
        ("attic", "use super::low;"),
    ] {
        assert_eq!(wrong(module, line), 1, "{module}: {line}");
    }
}
