//! Each layer uses only what stands below it.

use std::fs;
use std::path::Path;

/// Bottom to top.
const LAYERS: &[&str] =
    &["board", "games", "endgame", "eval", "search", "engine", "protocol", "arena", "training", "commands"];

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
