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
    let file = RulesFile::parse(&path.display().to_string(), &contents(path)?).map_err(|error| error.to_string())?;
    if file.sets.is_empty() {
        let why = file.left_out.first().map_or_else(String::new, |left| format!(": {left}"));
        return Err(format!("{}: no game of move and fire{why}", path.display()));
    }
    Ok(file)
}

/// As [`load_rules`], but of a `variants.ini` all entries may be other games, and all that is wrong is told.
///
/// ```
/// use hippolyta::engine::read_rules;
/// use std::path::Path;
///
/// let errors = read_rules(Path::new("nowhere.ini")).unwrap_err();
/// assert!(errors[0].starts_with("nowhere.ini: "), "{errors:?}");
/// ```
///
/// # Errors
///
/// As [`load_rules`], each in a line.
pub fn read_rules(path: &Path) -> Result<RulesFile, Vec<String>> {
    let text = contents(path).map_err(|error| vec![error])?;
    let read = RulesFile::check(&path.display().to_string(), &text);
    read.map_err(|errors| errors.iter().map(ToString::to_string).collect())
}

/// The text of a file; an error names it.
fn contents(path: &Path) -> Result<String, String> {
    read_file(path, MOST).and_then(text).map_err(|error| format!("{}: {error}", path.display()))
}
