//! The help of all commands as a terminal of any width shows it. In the sources its texts are broken to fit the page;
//! here paragraphs become one line each, which clap wraps, and long example commands get the shell's continuation, so
//! that they can be copied from a terminal of 80 columns.

use super::Cli;
use clap::{Command, CommandFactory};
use std::fmt::Write;

/// The widest line of an example.
const WIDTH: usize = 80;

/// Commands by what people do with them.
const GROUPS: &[(&str, &[&str])] = &[
    ("Play", &["play", "serve", "gtp"]),
    ("Analyse", &["analyse", "review", "go", "convert", "book", "explorer"]),
    ("Compete", &["match", "fastchess", "openings"]),
    ("Learn", &["learn", "selfplay", "merge", "fit", "calibrate"]),
    ("Solve", &["solve", "tables", "problems"]),
    ("Design", &["rules", "assess", "design"]),
    ("Develop", &["bench", "blunders", "tune", "legal", "perft", "completions", "man", "help"]),
];

/// The whole command line, with its help.
pub(super) fn command() -> Command {
    // The command `help` is there once all is built.
    let command = shown(Cli::command().subcommand_help_heading("Commands"));
    let mut built = command.clone();
    built.build();
    command.help_template(template(&built))
}

/// The first page of help, with the commands in groups, which clap has not.
fn template(command: &Command) -> String {
    let mut text = "{about-with-newline}\n{usage-heading} {usage}\n".to_owned();
    for (title, names) in GROUPS {
        let _ = write!(text, "\n{title}:\n");
        for found in names.iter().filter_map(|name| command.find_subcommand(name)) {
            let about = found.get_about().map(ToString::to_string).unwrap_or_default();
            let _ = writeln!(text, "  {:<11}  {about}", found.get_name());
        }
    }
    text + "\nOptions:\n{options}\n\n'hippolyta help COMMAND' has the options of a command, with examples.\n"
}

fn shown(command: Command) -> Command {
    let text = command.get_after_help().map(|text| arranged(&text.to_string()));
    let command = command.mut_subcommands(shown);
    match text {
        Some(text) => command.after_help(text),
        None => command,
    }
}

/// `text` with one line a paragraph and no example wider than [`WIDTH`]. Lines that begin with a blank are examples and
/// tables: they stay lines.
fn arranged(text: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    // Whether the next line may go on with the last: an example that goes on in the shell's way, or a paragraph.
    let (mut in_example, mut in_paragraph) = (false, false);
    for line in text.lines() {
        let is_indented = line.starts_with(' ');
        let joined = if in_example { line.trim_start() } else { line };
        let words = joined.strip_suffix('\\').map_or(joined, str::trim_end);
        match lines.last_mut().filter(|_| in_example || (in_paragraph && !is_indented && !line.is_empty())) {
            Some(last) => {
                last.push(' ');
                last.push_str(words);
            }
            None => lines.push(words.to_owned()),
        }
        in_example = joined.ends_with('\\');
        // A line that ends in a colon is the title of the lines below it.
        in_paragraph = !is_indented && !line.is_empty() && !line.ends_with(':');
    }
    lines
        .iter()
        .map(|line| if line.starts_with("  hippolyta ") { broken(line) } else { line.clone() })
        .collect::<Vec<_>>()
        .join("\n")
}

/// An example in lines of at most [`WIDTH`] columns, each but the last with a backslash. Texts in quotes stay whole.
fn broken(example: &str) -> String {
    let mut lines = vec![String::new()];
    let mut quoted = false;
    // Each word with the blanks before it.
    let mut words = vec![String::new()];
    let mut before = ' ';
    for c in example.chars() {
        if c == ' ' && before != ' ' && !quoted {
            words.push(String::new());
        }
        quoted ^= c == '\'';
        words.last_mut().into_iter().for_each(|word| word.push(c));
        before = c;
    }
    for word in words {
        let width = |text: &str| text.chars().count();
        let full = lines.last().is_some_and(|line| width(line) + width(&word) + 2 > WIDTH);
        if full {
            lines.push(format!("     {word}"));
        } else {
            lines.last_mut().into_iter().for_each(|line| line.push_str(&word));
        }
    }
    lines.join(" \\\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_are_one_line_and_examples_stay_lines() {
        let text = "One sentence that is\nbroken here.\n\nAnother one\n  hippolyta go\n  table  of words\nExamples:\n  hippolyta a \\\n      b\n";
        let wanted = "One sentence that is broken here.\n\nAnother one\n  hippolyta go\n  table  of words\nExamples:\n  hippolyta a b";
        assert_eq!(arranged(text), wanted);
    }

    #[test]
    fn long_examples_go_on_in_the_shells_way() {
        let long = format!("  hippolyta go --fen '{} w' --nodes 1{}", "1 ".repeat(20), " --threads 2".repeat(4));
        let text = broken(&long);
        assert!(text.lines().count() > 1 && text.lines().all(|line| line.len() <= WIDTH), "{text}");
        assert_eq!(text.replace(" \\\n     ", ""), long);
        assert!(text.contains(&format!("'{} w'", "1 ".repeat(20))), "{text}");
    }

    #[test]
    fn each_command_is_in_one_group_and_has_one_line() {
        let mut command = command();
        let names: Vec<_> = command.get_subcommands().map(|command| command.get_name().to_owned()).collect();
        let mut grouped: Vec<_> = GROUPS.iter().flat_map(|(_, names)| names.iter().copied()).collect();
        grouped.sort_unstable();
        let mut known: Vec<_> = names.iter().map(String::as_str).chain(["help"]).collect();
        known.sort_unstable();
        assert_eq!(grouped, known);
        let help = command.render_help().to_string();
        for name in names {
            let line = help.lines().find(|line| line.starts_with(&format!("  {name} "))).unwrap();
            assert!(line.chars().count() <= WIDTH && line.len() > 20, "{line}");
        }
    }

    /// Examples are tried by the tests of the program; this test makes sure that there are some.
    #[test]
    fn each_command_has_an_example() {
        for command in command().get_subcommands().filter(|command| command.get_name() != "man") {
            let text = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            let own = format!("  hippolyta {}", command.get_name());
            assert!(text.lines().any(|line| line.starts_with(&own)), "{}: {text}", command.get_name());
        }
    }

    /// The lines of examples and tables of all commands, each behind its command's name.
    fn lines(command: &Command, found: &mut Vec<String>) {
        let text = command.get_after_help().map(ToString::to_string).unwrap_or_default();
        let indented = text.lines().filter(|line| line.starts_with(' '));
        found.extend(indented.map(|line| format!("{}: {line}", command.get_name())));
        command.get_subcommands().for_each(|command| lines(command, found));
    }

    /// A terminal has 80 columns. Nothing but prose is wider, and prose is wrapped.
    #[test]
    fn no_example_or_table_is_wider_than_a_terminal() {
        let mut found = Vec::new();
        lines(&command(), &mut found);
        assert!(found.len() > 40, "{found:?}");
        found.retain(|line| line.chars().count() - line.find(": ").unwrap() - 2 > WIDTH);
        assert!(found.is_empty(), "{found:#?}");
    }
}
