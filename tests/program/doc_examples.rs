//! Whatever users of the library can name in `games`, `engine`, `eval` and `search` has an example that asserts
//! something. `cargo test --doc` runs it.

use std::fs;
use std::path::{Path, PathBuf};

/// The modules that library users build on.
const MODULES: &[&str] = &["games", "engine", "eval", "search"];

/// Those of the package `hippolyta-rules`.
const RULES: &[&str] = &["board", "games"];

/// The words that begin an item which needs an example. Constants explain themselves.
const KINDS: &[&str] = &["struct", "enum", "union", "trait", "type", "fn"];

/// A public item: its name, where it is, and its documentation.
struct Item {
    name: String,
    place: String,
    docs: Vec<String>,
}

impl Item {
    fn has_example(&self) -> bool {
        let mut in_code = false;
        self.docs.iter().any(|line| {
            in_code ^= line.starts_with("```");
            in_code && line.contains("assert")
        })
    }
}

/// The file of a module and the folder of its children, from the module's path below `src`. The engine shows the rules
/// as modules of its own.
fn module(path: &[String]) -> (PathBuf, PathBuf) {
    let sources = if RULES.contains(&path[0].as_str()) { "crates/rules/src" } else { "src" };
    let folder = path.iter().fold(Path::new(root!()).join(sources), |folder, name| folder.join(name));
    let alone = folder.with_extension("rs");
    (if alone.is_file() { alone } else { folder.join("mod.rs") }, folder)
}

/// The path of the module in a `pub use`, and the names in it that are exported.
fn reexport(statement: &str, here: &[String]) -> (Vec<String>, Vec<String>) {
    let (path, names) = match statement.split_once('{') {
        Some((path, names)) => (path.trim_end_matches("::"), names.trim_end_matches('}')),
        None => statement.rsplit_once("::").unwrap(),
    };
    assert!(!names.contains(['{', '*']), "too clever for this test: {statement}");
    let mut segments: Vec<String> = path.split("::").map(str::to_owned).collect();
    let from = match segments[0].as_str() {
        "crate" => segments.split_off(1),
        _ => [here, &segments].concat(),
    };
    let names = names.split(',').filter_map(|name| name.split_whitespace().next());
    (from, names.map(str::to_owned).collect())
}

/// The public items of a module and of its public modules; of these only `wanted`, if there are any.
fn public_items(path: &[String], wanted: Option<&[String]>, found: &mut Vec<Item>) {
    let (file, folder) = module(path);
    let text = fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    // Public for the tools alone.
    let text = text.replace("#[doc(hidden)]\npub ", "#[doc(hidden)]\npub(hidden) ");
    let is_wanted = |name: &str| wanted.is_none_or(|wanted| wanted.iter().any(|known| known == name));
    let before = found.len();
    let mut docs = Vec::new();
    for (number, line) in text.lines().enumerate() {
        if let Some(doc) = line.strip_prefix("///") {
            docs.push(doc.trim().to_owned());
        } else if let Some(item) = line.strip_prefix("pub ") {
            let item = item.strip_prefix("const fn").map_or(item.to_owned(), |rest| format!("fn{rest}"));
            let (kind, rest) = item.split_once(' ').unwrap();
            let name: String = rest.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
            if kind == "mod" && wanted.is_none() && rest.ends_with(';') {
                public_items(&[path, &[name]].concat(), None, found);
            } else if KINDS.contains(&kind) && is_wanted(&name) {
                let place = format!("{}:{}", file.display(), number + 1);
                found.push(Item { name, place, docs: std::mem::take(&mut docs) });
            }
        }
        // Attributes may stand between documentation and item.
        if !line.starts_with("///") && !line.starts_with("#[") && !line.starts_with([' ', ')']) {
            docs.clear();
        }
    }
    for statement in text.split("\npub use ").skip(1) {
        let statement: String = statement.split(';').next().unwrap().split_whitespace().collect();
        let (from, names) = reexport(&statement, path);
        let names: Vec<String> = names.into_iter().filter(|name| is_wanted(name)).collect();
        let is_type = |name: &&String| name.starts_with(char::is_uppercase) && name.to_uppercase() != **name;
        let known = found.len();
        if !names.is_empty() {
            public_items(&from, Some(&names), found);
        }
        for name in names.iter().filter(is_type) {
            let place = folder.display();
            assert!(found[known..].iter().any(|item| item.name == *name), "{place}: where does {name} come from?");
        }
    }
    assert!(wanted.is_some() || found.len() > before, "{}: nothing public", file.display());
}

#[test]
fn everything_public_for_library_users_has_an_example() {
    let mut found = Vec::new();
    for name in MODULES {
        public_items(&[(*name).to_owned()], None, &mut found);
    }
    let names: Vec<_> = found.iter().map(|item| item.name.as_str()).collect();
    // One of each: in a public module, re-exported from a private one, from another layer, and a function.
    for name in ["Variant", "Amazons", "Position", "Control", "ContainerError", "perft", "AmazonsEvaluator"] {
        assert!(names.contains(&name), "{name} is not among {names:?}");
    }
    assert!(!names.contains(&"Node") && found.len() > 80, "{}: {names:?}", found.len());
    let bare: Vec<_> = found.iter().filter(|item| !item.has_example()).map(|item| &item.place).collect();
    assert!(bare.is_empty(), "no example with an assertion: {bare:#?}");
}
