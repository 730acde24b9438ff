//! Each layer uses only what stands below it.

use std::fs;
use std::path::Path;

/// Bottom to top.
const LAYERS: &[&str] = &["board", "games", "endgame", "eval", "search", "protocol", "arena", "training", "commands"];

fn sources(folder: &Path, found: &mut Vec<(String, String)>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push((path.display().to_string(), fs::read_to_string(&path).unwrap()));
        }
    }
}

#[test]
fn no_layer_knows_one_above_it() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut seen = 0;
    for (height, layer) in LAYERS.iter().enumerate() {
        let mut files = Vec::new();
        sources(&root.join(layer), &mut files);
        for (path, text) in files {
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
    let (mut files, mut seen, mut wrong) = (Vec::new(), 0, Vec::new());
    sources(&root, &mut files);
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
