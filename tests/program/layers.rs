//! Packages, and the files of each, know one another in one direction: nothing below knows what is above, and no two
//! know each other. `cargo` sees to the packages, but for what may stand in a wheel or in the page.

use crate::common::files_below;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The packages with their folders, bottom to top.
const PACKAGES: &[(&str, &str)] = &[
    ("hippolyta-rules", "crates/rules"),
    ("hippolyta", "."),
    ("hippolyta-protocol", "crates/protocol"),
    ("hippolyta-lab", "crates/lab"),
    ("hippolyta-research", "crates/research"),
    ("hippolyta-app", "crates/app"),
];

/// Files and folders that still know each other.
const CIRCLES: &[&str] = &[
    "crates/lab: arena::ledger arena::tournament",
    "crates/lab: calibration training",
    "crates/lab: problems::set problems::theme",
    "crates/research: tuning::games tuning::spsa",
    "crates/rules: games::general::file games::general::ini",
];

/// The names of our packages on which that in a folder depends.
fn needs(folder: &str) -> Vec<String> {
    let manifest = std::fs::read_to_string(format!("{}/{folder}/Cargo.toml", root!())).unwrap();
    let (_, dependencies) = manifest.split_once("\n[dependencies]\n").unwrap();
    let lines = dependencies.lines().take_while(|line| !line.starts_with('['));
    let names = lines.filter_map(|line| line.split(['.', ' ']).next()).filter(|name| name.starts_with("hippolyta"));
    names.map(str::to_owned).collect()
}

#[test]
fn packages_know_those_below_them_alone() {
    for (place, (name, folder)) in PACKAGES.iter().enumerate() {
        let below: Vec<_> = PACKAGES[..place].iter().map(|(name, _)| *name).collect();
        assert!(needs(folder).iter().all(|need| below.contains(&need.as_str())), "{name}: {:?}", needs(folder));
    }
    assert!(!needs("python").contains(&"hippolyta-research".to_owned()));
    assert_eq!(needs("web/engine"), ["hippolyta", "hippolyta-protocol"]);
}

/// A module, by the names on the way to it.
type Module = Vec<String>;

/// The paths that a text begins with: `a::{b, c::d}` is two of them.
fn paths(text: &str) -> Vec<Module> {
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
    let (name, rest) = text.split_at(end);
    let mut inner = Vec::new();
    if let Some(list) = rest.strip_prefix("::{").or_else(|| text.strip_prefix('{')) {
        let (mut depth, mut begin) = (0, 0);
        for (at, letter) in list.char_indices() {
            match letter {
                '{' => depth += 1,
                ',' | '}' if depth == 0 => {
                    inner.extend(paths(list[begin..at].trim_start()));
                    begin = at + 1;
                    if letter == '}' {
                        break;
                    }
                }
                '}' => depth -= 1,
                _ => {}
            }
        }
    } else if let Some(rest) = rest.strip_prefix("::") {
        inner = paths(rest);
    }
    if inner.is_empty() {
        inner.push(Vec::new());
    }
    inner.into_iter().map(|path| std::iter::once(name.to_owned()).chain(path).collect()).collect()
}

/// The modules of its package that a module uses, but for its tests.
fn uses(here: &Module, text: &str, all: &BTreeMap<Module, String>) -> BTreeSet<Module> {
    let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap();
    let lines = text.lines().map(|line| line.split("//").next().unwrap()).collect::<Vec<_>>().join("\n");
    let mut found = BTreeSet::new();
    for word in ["crate::", "super::"] {
        for (at, _) in lines.match_indices(word) {
            if lines[..at].ends_with(|c: char| c.is_alphanumeric() || "_:$".contains(c)) {
                continue;
            }
            for path in paths(&lines[at..]) {
                let ups = path.iter().take_while(|name| *name == "super").count();
                let mut module = if path[0] == "crate" { Module::new() } else { here[..here.len() - ups].to_vec() };
                for name in path.into_iter().skip(ups.max(1)) {
                    module.push(name);
                    if !all.contains_key(&module) {
                        module.pop();
                        break;
                    }
                }
                found.insert(module);
            }
        }
    }
    // A module and those within it are one.
    found.retain(|module| all.contains_key(module) && !module.starts_with(here) && !here.starts_with(module));
    found
}

/// All that is reached from `from`.
fn reached<'a>(from: &'a Module, edges: &'a BTreeMap<Module, BTreeSet<Module>>) -> BTreeSet<&'a Module> {
    let (mut found, mut open) = (BTreeSet::new(), vec![from]);
    while let Some(module) = open.pop() {
        open.extend(edges.get(module).into_iter().flatten().filter(|next| found.insert(*next)));
    }
    found
}

#[test]
fn no_files_know_each_other() {
    let mut circles = BTreeSet::new();
    for (_, folder) in PACKAGES {
        let source = Path::new(root!()).join(folder).join("src");
        let mut all = BTreeMap::new();
        for file in files_below(&source, &["rs"]) {
            let path = file.strip_prefix(&source).unwrap().with_extension("");
            let mut module: Module = path.iter().map(|name| name.to_str().unwrap().to_owned()).collect();
            if ["mod", "lib", "main"].contains(&module.last().unwrap().as_str()) {
                module.pop();
            }
            all.insert(module, std::fs::read_to_string(file).unwrap());
        }
        let files: BTreeMap<_, _> =
            all.iter().map(|(module, text)| (module.clone(), uses(module, text, &all))).collect();
        // The folders and files of the top likewise.
        let mut tops: BTreeMap<Module, BTreeSet<Module>> = BTreeMap::new();
        for (module, used) in files.iter().filter(|(module, _)| !module.is_empty()) {
            let used = used.iter().map(|used| used[..1].to_vec()).filter(|used| used[0] != module[0]);
            tops.entry(module[..1].to_vec()).or_default().extend(used);
        }
        for edges in [&files, &tops] {
            for module in edges.keys().filter(|module| reached(module, edges).contains(module)) {
                let both = reached(module, edges).into_iter().filter(|other| reached(other, edges).contains(module));
                let names: Vec<_> = both.map(|module| module.join("::")).collect();
                circles.insert(format!("{folder}: {}", names.join(" ")));
            }
        }
    }
    let circles: Vec<_> = circles.iter().map(String::as_str).collect();
    assert_eq!(circles, CIRCLES);
}
