//! Rule sets, and sizes of the Amazons, that are calibrated by themselves.

use hippolyta::eval::general;
use hippolyta::eval::weights::BoardSize;
use hippolyta::games::variant::{Family, Variant, find};
use hippolyta::games::{Board, FenError};

/// A rule set, or a size of the Amazons.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Subject {
    /// The name of the rule set that the games are played by.
    pub variant: &'static str,
    /// The position that they begin at; `None` for the start of the rule set.
    pub start: Option<&'static str>,
    /// The number of games that a calibration is fitted to: what a few minutes on two cores have time for.
    pub games: u64,
}

const fn start_of(variant: &'static str, games: u64) -> Subject {
    Subject { variant, start: None, games }
}

const fn amazons(start: &'static str, games: u64) -> Subject {
    Subject { variant: "amazons", start: Some(start), games }
}

/// All of them. Other sizes of the Amazons are shown as the nearest of these.
pub const SUBJECTS: &[Subject] = &[
    start_of("amazons", 350),
    start_of("amazons8", 400),
    start_of("amazons6", 800),
    amazons("1q1q1/q3q/5/Q3Q/1Q1Q1 w - - 0 1", 1_000),
    start_of("desdemona", 400),
    start_of("desdemona-early", 130),
    start_of("desdemona-early-border", 130),
    start_of("desdemona-site", 130),
    start_of("cassio", 1_000),
    start_of("cassio-site", 130),
    start_of("iago", 140),
    start_of("damone", 110),
    start_of("damone-three", 110),
    start_of("damone-imperatore", 110),
];

impl Subject {
    /// The rule set.
    ///
    /// # Panics
    ///
    /// Never for [`SUBJECTS`].
    pub fn rule_set(&self) -> Variant {
        find(self.variant).unwrap_or_else(|error| panic!("{error}"))
    }

    /// The board that its games begin with.
    ///
    /// # Errors
    ///
    /// Never for [`SUBJECTS`].
    pub fn board(&self) -> Result<Board, FenError> {
        let variant = self.rule_set();
        Board::from_fen(&variant, self.start.unwrap_or(variant.start()))
    }

    /// The name of its calibration in weights files, without the ending: `iago`, `amazons@6x6`.
    ///
    /// # Errors
    ///
    /// Never for [`SUBJECTS`].
    pub fn name(&self) -> Result<String, FenError> {
        Ok(name_of(&self.board()?))
    }
}

/// The name of the calibration that games from this board are fitted for.
pub(crate) fn name_of(start: &Board) -> String {
    if let Family::General(rules) = &start.variant().family() {
        return general::group(rules);
    }
    let (width, height) = start.size();
    let variant = start.variant();
    let size = BoardSize::new(width, height).filter(|_| variant.traits().territories);
    // One's own rules that are those of a built-in game are shown as that game is.
    size.map_or_else(|| variant.as_built_in().unwrap_or(variant).name().to_owned(), BoardSize::tables)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hippolyta::engine::{Control, Engine, Limits, Model, Settings};
    use hippolyta::eval::Weights;
    use hippolyta::eval::calibration::SIZE as CALIBRATION_SIZE;
    use hippolyta::eval::weights::Tables;
    use hippolyta::games::Side;
    use hippolyta::games::variant::VARIANTS;

    /// The table of `docs/starts.md`: 200 games from each start at a long time control.
    #[test]
    fn starts_are_shown_as_long_games_from_them_ended() {
        let page = include_str!("../../../../docs/starts.md");
        let rows = page.lines().filter_map(|line| {
            let cells: Vec<_> = line.split('|').map(str::trim).collect();
            let variant = find(cells.get(1)?.trim_matches('`')).ok()?;
            let points: f64 = cells.get(6)?.split(' ').next()?.parse().ok()?;
            Some((variant, points))
        });
        let mut tried = 0;
        for (variant, points) in rows {
            let settings = Settings { hash: 16, ..Settings::default() };
            let mut engine = Engine::new(&variant, &Model::default(), settings).unwrap();
            let limits = Limits { nodes: Some(20_000), ..Limits::default() };
            let found = engine.analyse(&Board::new(&variant), &limits, &Control::default(), &mut |_| ()).unwrap();
            let own = 100.0 * f64::from(found.score.expected());
            let shown = if found.side == Side::White { own } else { 100.0 - own };
            assert!((shown - points).abs() < 5.5, "{}: {shown:.1}, {points}", variant.name());
            tried += 1;
        }
        assert_eq!(tried, VARIANTS.len());
    }

    #[test]
    fn calibrations_are_named_as_weights_files_take_them() {
        let knights = &find("knights = { like = 'amazons6', moves = 'N' }").unwrap();
        let site = "mine = { like = 'cassio-site' }";
        for (variant, name) in
            [("amazons6", "amazons@6x6"), ("iago", "iago"), (site, "cassio-site"), ("", "own@moves = 'N'")]
        {
            let variant = find(variant).unwrap_or(knights.clone());
            assert_eq!(name_of(&Board::new(&variant)), name);
            let table = (format!("{name}.calibration"), vec![1; CALIBRATION_SIZE]);
            let tables = Tables { notes: String::new(), tables: vec![table] };
            let weights = Weights::from_bytes(&tables.to_bytes()).unwrap();
            assert!(
                weights
                    .calibration(&variant, Board::new(&variant).size())
                    .is_some_and(|known| { known.table() == [1; CALIBRATION_SIZE] })
            );
        }
    }
}
