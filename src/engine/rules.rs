use crate::files::{read_file, text};
use crate::games::general::RulesFile;
use std::path::Path;

/// The largest file of rule sets, in bytes.
const MOST: u64 = 1 << 20;

/// Reads a file of rule sets, of which at least one must be a game of move and fire. Blocks until it is read.
///
/// ```
/// use hippolyta::engine::load_rules;
/// use std::path::Path;
///
/// let error = load_rules(Path::new("nowhere.toml")).unwrap_err();
/// assert!(error.starts_with("nowhere.toml: "), "{error}");
/// ```
///
/// # Errors
///
/// In one line with the file and, where something is wrong with its text, the number of the line.
pub fn load_rules(path: &Path) -> Result<RulesFile, String> {
    let file = read_rules(path)?;
    if file.sets.is_empty() {
        let why = file.left_out.first().map_or_else(String::new, |left| format!(": {left}"));
        return Err(format!("{}: no game of move and fire{why}", path.display()));
    }
    Ok(file)
}

/// As [`load_rules`], but of a `variants.ini` all entries may be other games.
///
/// ```
/// use hippolyta::engine::read_rules;
/// use std::path::Path;
///
/// let error = read_rules(Path::new("nowhere.ini")).unwrap_err();
/// assert!(error.starts_with("nowhere.ini: "), "{error}");
/// ```
///
/// # Errors
///
/// As [`load_rules`].
pub fn read_rules(path: &Path) -> Result<RulesFile, String> {
    let name = path.display().to_string();
    let text = read_file(path, MOST).and_then(text).map_err(|error| format!("{name}: {error}"))?;
    RulesFile::parse(&name, &text).map_err(|error| error.to_string())
}
