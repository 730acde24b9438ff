//! A line of GTP: its id, its command and its arguments.

/// A command with its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Call<'a> {
    /// The id as it was written, or nothing.
    pub id: &'a str,
    /// The command; empty if the line has only an id.
    pub name: &'a str,
    /// All that follows the command.
    pub rest: &'a str,
}

/// Longest id, in digits. A longer number is no id.
const LONGEST_ID: usize = 10;

impl<'a> Call<'a> {
    /// Reads a line that [`clean`] has prepared; `None` if nothing is on it.
    pub fn read(line: &'a str) -> Option<Self> {
        let (first, rest) = split_word(line);
        if first.is_empty() {
            return None;
        }
        if first.len() > LONGEST_ID || !first.bytes().all(|byte| byte.is_ascii_digit()) {
            return Some(Self { id: "", name: first, rest });
        }
        let (name, rest) = split_word(rest);
        Some(Self { id: first, name, rest })
    }

    /// The arguments.
    pub fn words(self) -> Vec<&'a str> {
        self.rest.split_ascii_whitespace().collect()
    }
}

fn split_word(text: &str) -> (&str, &str) {
    let text = text.trim_matches(' ');
    text.split_once(' ').map_or((text, ""), |(word, rest)| (word, rest.trim_matches(' ')))
}

/// A line as GTP wants it read: tabs are blanks, other control characters are left out, and a comment is cut off.
pub(super) fn clean(line: &str) -> String {
    let line = line.split('#').next().unwrap_or_default();
    line.chars().map(|c| if c == '\t' { ' ' } else { c }).filter(|c| !c.is_control()).collect()
}

/// Whether a line is the comment with which GoGui interrupts a command.
pub(super) fn is_interrupt(line: &str) -> bool {
    line.trim().strip_prefix('#').is_some_and(|comment| comment.trim() == "interrupt")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_names_and_arguments_are_told_apart() {
        let read = |line: &str| Call::read(&clean(line)).map(|call| [call.id, call.name, call.rest].map(str::to_owned));
        let parts = |parts: [&str; 3]| Some(parts.map(str::to_owned));
        assert_eq!(read("play w  D1\r"), parts(["", "play", "w  D1"]));
        assert_eq!(read("  7\tplay\tw D1 # a comment"), parts(["7", "play", "w D1"]));
        assert_eq!(read("0012 name"), parts(["0012", "name", ""]));
        assert_eq!(read("na\x07me\0"), parts(["", "name", ""]));
        assert_eq!(read("12"), parts(["12", "", ""]));
        assert_eq!(read("12345678901 name"), parts(["", "12345678901", "name"]));
        for nothing in ["", " \t ", "# play w D1", " #", "\r"] {
            assert_eq!(read(nothing), None, "{nothing:?}");
        }
    }

    #[test]
    fn only_one_comment_interrupts() {
        assert!(is_interrupt("# interrupt\r") && is_interrupt(" #interrupt"));
        assert!(!is_interrupt("interrupt") && !is_interrupt("# interrupted") && !is_interrupt("name # interrupt"));
    }
}
