//! Values that options take, for callers that have theirs from elsewhere: the functions of the Python package.

use super::Cli;
use clap::builder::ValueParser;
use clap::{Arg, Command, CommandFactory};
use std::any::TypeId;
use std::error::Error;

/// The values that an option of a subcommand takes.
pub struct Values(ValueParser);

impl Values {
    /// Those of `--option`; `None` if there is no such subcommand or option.
    #[must_use]
    pub fn of(subcommand: &str, option: &str) -> Option<Self> {
        let cli = Cli::command();
        let mut options = cli.find_subcommand(subcommand)?.get_arguments();
        options.find(|known| known.get_long() == Some(option)).map(|known| Self(known.get_value_parser().clone()))
    }

    /// Whether they are whole numbers.
    #[must_use]
    pub fn are_whole(&self) -> bool {
        let whole = [TypeId::of::<u8>(), TypeId::of::<u16>(), TypeId::of::<u32>(), TypeId::of::<u64>()];
        whole.into_iter().any(|number| self.0.type_id() == number)
    }

    /// Whether `value` is one of them.
    ///
    /// # Errors
    ///
    /// The fault of the value otherwise.
    pub fn check(&self, value: &str) -> Result<(), String> {
        let command = Command::new("value").no_binary_name(true).arg(Arg::new("value").value_parser(self.0.clone()));
        let Err(error) = command.try_get_matches_from(["--", value]) else { return Ok(()) };
        let text = error.source().map_or_else(|| error.to_string(), ToString::to_string);
        Err(match text.strip_prefix(value).and_then(|rest| rest.strip_prefix(" is not in ")?.split_once("..")) {
            Some((least, most)) => format!("{value} is not from {least} to {}", most.trim_start_matches('=')),
            None => format!("{text}, not {value}"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_those_of_the_command_line() {
        let check = |subcommand, option, value| Values::of(subcommand, option).unwrap().check(value).err();
        let wrong = |text: &str| Some(text.to_owned());
        assert_eq!(check("selfplay", "games", "1"), None);
        assert_eq!(check("selfplay", "games", "0"), wrong("0 is not from 1 to 1000000000"));
        assert_eq!(check("fit", "policy-every", "0"), wrong("0 is not from 1 to 18446744073709551615"));
        assert_eq!(check("fit", "rate", "-2.5"), wrong("a number from 0 to 1 is expected, not -2.5"));
        assert_eq!(check("learn", "sampled-turns", "4294967296"), wrong("4294967296 is not from 0 to 4294967295"));
        assert!(
            Values::of("match", "patience").unwrap().are_whole() && !Values::of("fit", "rate").unwrap().are_whole()
        );
        assert!(Values::of("selfplay", "nothing").is_none() && Values::of("chess", "games").is_none());
    }
}
