//! Openings for OpenBench's tests of the kind DATAGEN, which asks engines for them on their command line.

use super::{print_line, signals, variant_by_name};
use anyhow::{Context, Result, bail};
use hippolyta::engine::{Board, Model};
use hippolyta::files;
use hippolyta::games::variant::{self, Variant};
use hippolyta_lab::arena::Opening;
use hippolyta_lab::arena::openings::{balanced, read};
use hippolyta_lab::play;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::ffi::OsString;

/// Random moves, unless the order says otherwise.
const PLIES: u32 = 4;

/// The fields of `genfens COUNT seed S book FILE [variant NAME] [plies N]`.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Genfens {
    count: u64,
    seed: u64,
    book: Option<String>,
    variant: Variant,
    plies: u32,
}

/// The order in the arguments of the program, if they begin with one. A `quit` behind it says nothing new.
pub(super) fn ordered(arguments: &[OsString]) -> Option<&str> {
    arguments.get(1)?.to_str().filter(|order| order.split(' ').next() == Some("genfens") && order.contains(' '))
}

impl Genfens {
    pub(super) fn parse(order: &str) -> Result<Self> {
        let mut words = order.split_whitespace().skip(1);
        let count = words.next().unwrap_or_default();
        let count = count.parse().with_context(|| format!("genfens '{count}': a number is expected"))?;
        let mut found = Self { count, seed: 0, book: None, variant: variant::DEFAULT.clone(), plies: PLIES };
        while let Some(name) = words.next() {
            let value = words.next().with_context(|| format!("genfens: {name} wants a value"))?;
            let number = || format!("genfens: {name} '{value}': a number is expected");
            match name {
                "seed" => found.seed = value.parse().with_context(number)?,
                "plies" => found.plies = value.parse().with_context(number)?,
                "variant" => found.variant = variant_by_name(value)?,
                "book" => found.book = Some(value.to_owned()).filter(|book| !book.eq_ignore_ascii_case("none")),
                _ => bail!("genfens: '{name}' is unknown: seed, book, variant and plies are known"),
            }
        }
        Ok(found)
    }

    /// Prints a line `info string genfens FEN` for each opening.
    pub(super) fn run(&self) -> Result<()> {
        signals::end_at_once()?;
        self.each(|fen| print_line(&format!("info string genfens {fen}")))
    }

    fn each(&self, mut found: impl FnMut(&str)) -> Result<()> {
        let variant = &self.variant;
        let starts = match &self.book {
            Some(path) => {
                let text = std::fs::read(path).and_then(files::text).with_context(|| path.clone())?;
                read(variant, &text).with_context(|| path.clone())?
            }
            None => vec![Opening { fen: variant.start().to_owned(), moves: Vec::new() }],
        };
        let mut engine = play::engine(variant, &Model::default(), 0)?;
        let mut random = Xoshiro256PlusPlus::seed_from_u64(self.seed);
        for _ in 0..self.count {
            let start = &starts[random.random_range(0..starts.len())];
            let start = Board::after(variant, &start.fen, &start.moves)?;
            let opening = balanced(&mut engine, &start, self.plies, random.random(), &|| false)?;
            let Some(opening) = opening else { break };
            found(&opening.fen());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_give_different_reproducible_positions_of_the_rule_set() {
        let made = |order: &str| {
            let mut fens = Vec::new();
            Genfens::parse(order).unwrap().each(|fen| fens.push(fen.to_owned())).unwrap();
            fens
        };
        let fens = made("genfens 4 seed 7 book None variant amazons6 plies 3");
        assert_eq!(fens, made("genfens 4 seed 7 book None variant amazons6 plies 3"));
        assert_ne!(fens, made("genfens 4 seed 8 book None variant amazons6 plies 3"));
        for fen in &fens {
            let fields: Vec<_> = fen.split(' ').collect();
            // Three arrows, Black to move, counters that are numbers, as the worker wants them.
            assert_eq!((fields.len(), fields[1], fields[0].matches('*').count()), (6, "b", 3), "{fen}");
            assert!(fields[4..].iter().all(|field| field.parse::<u32>().is_ok()), "{fen}");
        }
        assert!(fens.iter().collect::<std::collections::HashSet<_>>().len() > 1);
    }

    #[test]
    fn wrong_orders_are_named() {
        let error = |order: &str| format!("{:#}", Genfens::parse(order).unwrap_err());
        assert!(error("genfens x").starts_with("genfens 'x': a number is expected"));
        assert_eq!(error("genfens 3 seed"), "genfens: seed wants a value");
        assert!(error("genfens 3 colour red").starts_with("genfens: 'colour' is unknown"));
        assert!(error("genfens 3 variant chess").contains("chess"));
        let words = |text: &str| vec![OsString::from("hippolyta"), OsString::from(text)];
        assert_eq!(ordered(&words("genfens 3 seed 1 book None")), Some("genfens 3 seed 1 book None"));
        assert_eq!(ordered(&words("go")), None);
    }
}
