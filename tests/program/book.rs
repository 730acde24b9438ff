//! The book in docs/: its pictures, its games, its reference of the command line, and the commands of README.md.

use crate::common::files_below;
use crate::common::folder::Folder;
use hippolyta::engine::Board;
use hippolyta::games::variant;
use hippolyta_protocol::pictures::Picture;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const BINARY: &str = env!("CARGO_BIN_EXE_hippolyta");

fn path(name: &str) -> PathBuf {
    Path::new(root!()).join(name)
}

fn read(name: &str) -> String {
    fs::read_to_string(path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// With `HIPPOLYTA_BLESS=1` the file is written anew.
fn compare(name: &str, expected: &str) {
    if std::env::var_os("HIPPOLYTA_BLESS").is_some() {
        fs::write(path(name), expected).unwrap();
    }
    assert!(read(name) == expected, "{name} is not up to date: HIPPOLYTA_BLESS=1 writes it anew");
}

/// The board of `VARIANT [fen FEN]`.
fn start(place: &str) -> Board {
    match place.split_once(" fen ") {
        Some((name, fen)) => Board::from_fen(&variant::find(name).unwrap(), fen).unwrap(),
        None => Board::new(&variant::find(place).unwrap()),
    }
}

/// A picture is an image whose title says what it shows: `![…](pictures/NAME.svg "VARIANT [fen FEN] [moves TURN …]")`.
#[test]
fn pictures_are_drawn_from_the_positions_that_they_name() {
    let mut seen = 0;
    for page in ["games/amazons", "games/desdemona", "games/damone", "starts"] {
        for image in read(&format!("docs/{page}.md")).split("pictures/").skip(1) {
            let (name, rest) = image.split_once(" \"").unwrap();
            let (title, _) = rest.split_once('"').unwrap();
            let (place, moves) = title.split_once(" moves ").unwrap_or((title, ""));
            let mut board = start(place);
            for turn in moves.split_whitespace() {
                board.play(turn).unwrap_or_else(|error| panic!("{name}: {turn}: {error}"));
            }
            let picture = Picture::new(&board);
            let picture = board.last_turn().iter().fold(picture, Picture::last_turn);
            compare(&format!("docs/games/pictures/{name}"), &(picture.svg() + "\n"));
            seen += 1;
        }
    }
    assert!(seen >= 8, "{seen}");
}

/// A game is a block `game`: the start as `VARIANT [fen FEN]`, the turns, and the result.
#[test]
fn games_of_the_book_end_as_it_says() {
    let mut seen = 0;
    for page in ["amazons", "desdemona", "damone"] {
        for block in read(&format!("docs/games/{page}.md")).split("```game\n").skip(1) {
            let lines: Vec<_> = block.split("\n```").next().unwrap().lines().collect();
            let mut board = start(lines[0]);
            let (result, turns) = lines[1..].split_last().unwrap();
            for turn in turns.iter().flat_map(|line| line.split_whitespace()).filter(|word| !word.ends_with('.')) {
                board.play(turn).unwrap_or_else(|error| panic!("{page}: {turn}: {error}"));
            }
            let outcome = board.outcome().unwrap_or_else(|| panic!("{page}: the game is not over"));
            assert_eq!(outcome.name(), *result, "{page}");
            seen += 1;
        }
    }
    assert_eq!(seen, 3);
}

#[cfg(feature = "serve")]
fn help(command: &str) -> String {
    let words: Vec<_> = command.split_whitespace().chain(["--help"]).collect();
    let output = Command::new(BINARY).args(&words).env_remove("COLUMNS").output().unwrap();
    assert!(output.status.success(), "{command}");
    let text = String::from_utf8(output.stdout).unwrap();
    // Ends of lines are as in any file, and without blanks.
    text.lines().map(|line| line.trim_end().to_owned() + "\n").collect::<String>().trim_end().to_owned()
}

/// The names in the lists of commands, which stand before the arguments and options.
pub fn subcommands(help: &str) -> Vec<&str> {
    let Some((_, lists)) = help.split_once("\nUsage:") else { return Vec::new() };
    let end = ["\nOptions:", "\nArguments:"].into_iter().filter_map(|title| lists.find(title)).min();
    let lines = lists[..end.unwrap_or(lists.len())].lines();
    let names = lines.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    names.filter_map(|line| line.split_whitespace().next()).filter(|name| *name != "help").collect()
}

#[cfg(feature = "serve")]
#[test]
fn the_command_line_in_the_book_is_that_of_the_program() {
    let main = help("");
    let names = subcommands(&main);
    assert!(names.len() >= 15, "{names:?}");
    let mut text =
        "# Command line\n\nFor those who look up an option: what `hippolyta COMMAND --help` prints, written by a test.\n\n\
                    ## hippolyta\n\n"
            .to_owned();
    text += &format!("```text\n{main}\n```\n");
    for name in names {
        let text_of = help(name);
        text += &format!("\n## hippolyta {name}\n\n```text\n{text_of}\n```\n");
        for below in subcommands(&text_of) {
            let both = format!("{name} {below}");
            text += &format!("\n### hippolyta {both}\n\n```text\n{}\n```\n", help(&both));
        }
    }
    compare("docs/reference/command-line.md", &text);
}

/// The counts of the page's explorer are those of the games in the book.
#[test]
fn the_openings_of_the_page_are_those_of_the_games() {
    let folder = Folder::new("explorer");
    let out = folder.path("explorer.json");
    let games = files_below(&path("docs/games"), &["gz"]);
    let arguments = ["--least", "2", "--out", &out];
    let output = Command::new(BINARY).arg("explorer").args(games).args(arguments).output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    compare("crates/lab/src/arena/explorer.json", &fs::read_to_string(&out).unwrap());
}

/// The blocks of a document in a language.
fn blocks<'a>(document: &'a str, language: &str) -> Vec<&'a str> {
    let fence = format!("```{language}\n");
    document.split(&fence).skip(1).map(|block| block.split("\n```").next().unwrap()).collect()
}

/// The lines of the blocks `sh` of a document.
fn commands(document: &str) -> Vec<String> {
    blocks(document, "sh").into_iter().flat_map(str::lines).map(str::to_owned).collect()
}

/// The examples of the help, which its page in the book repeats, without their files and pipes.
fn examples(document: &str) -> Vec<String> {
    let lines = document.lines().filter_map(|line| line.strip_prefix("  hippolyta "));
    let parts = lines.flat_map(|line| line.split("| hippolyta "));
    parts.map(|part| format!("hippolyta {}", part.split(['|', '<', '>']).next().unwrap())).collect()
}

/// What a command does whose words begin with this program.
#[cfg(unix)]
fn shell(command: &str, folder: &Path) -> std::process::Output {
    let bin = Path::new(BINARY).parent().unwrap();
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap_or_default());
    let mut shell = Command::new("sh");
    shell.args(["-c", command]).current_dir(folder).env("PATH", path).stdin(std::process::Stdio::null());
    shell.output().unwrap()
}

/// A block `console` has commands after `$ `, each with all that it prints.
#[cfg(unix)]
#[test]
fn commands_print_what_the_book_shows() {
    let folder = Folder::new("book-console");
    let mut seen = 0;
    for file in files_below(&path("docs"), &["md"]) {
        let text = fs::read_to_string(&file).unwrap();
        let mut printed = text.clone();
        for shown in blocks(&text, "console").into_iter().flat_map(|block| block[2..].split("\n$ ")) {
            let command = shown.lines().next().unwrap();
            let output = shell(command, &folder.0);
            assert!(output.status.success(), "{command}: {output:?}");
            let said = format!("{command}\n{}", String::from_utf8(output.stdout).unwrap());
            printed = printed.replace(shown, &said.lines().map(str::trim_end).collect::<Vec<_>>().join("\n"));
            seen += 1;
        }
        compare(&file.display().to_string(), &printed);
    }
    assert!(seen >= 5, "{seen}");
}

/// Wrong words are an error before the help is printed. Words of `fastchess` are not clap's.
#[cfg(all(unix, feature = "serve"))]
#[test]
fn the_program_knows_all_words_of_the_book() {
    let mut seen = 0;
    for file in files_below(&path("docs"), &["md"]) {
        let text = fs::read_to_string(&file).unwrap().replace("\\\n", " ");
        let ours = |line: &String| line.starts_with("hippolyta ") && !line.starts_with("hippolyta fastchess ");
        for line in commands(&text).into_iter().chain(examples(&text)).filter(ours) {
            let output = shell(&format!("{line} --help"), Path::new("."));
            assert!(output.status.success(), "{}: {line}: {output:?}", file.display());
            seen += 1;
        }
    }
    assert!(seen > 120, "{seen}");
}

/// Commands of cargo and of the Python package are run elsewhere: by CI and by python/tests/test_docs.py.
#[cfg(unix)]
#[test]
fn the_commands_of_the_readme_work() {
    let folder = Folder::new("book-readme");
    let (mut ran, mut elsewhere) = (0, 0);
    for line in commands(&read("README.md")) {
        let command = match line.strip_prefix("cargo run --release --") {
            // A server would not end. Wrong words are an error before the help is printed.
            Some(words) => format!("hippolyta{words} --help"),
            None if line.starts_with("hippolyta ") || line.starts_with("echo ") => line.clone(),
            None => {
                let known = [
                    "cargo run --release",
                    "cargo xtask test",
                    "cargo install --locked --path .",
                    "pip install ./python",
                    "pip install './python[cluster]'",
                ];
                assert!(known.contains(&&*line) || line.starts_with("python -m hippolyta.cluster "), "{line}");
                elsewhere += 1;
                continue;
            }
        };
        let output = shell(&command, &folder.0);
        assert!(output.status.success() && !output.stdout.is_empty(), "{command}: {output:?}");
        if command.starts_with("hippolyta learn ") {
            let readme = read("README.md").replace('\n', " ");
            let verdict = readme.split("ends in `").nth(1).unwrap().split('`').next().unwrap();
            assert!(String::from_utf8_lossy(&output.stdout).contains(verdict), "{verdict}: {output:?}");
        }
        ran += 1;
    }
    assert!(ran >= 6 && elsewhere >= 2, "{ran} {elsewhere}");
    assert!(read("README.md").lines().count() <= 150);
}
