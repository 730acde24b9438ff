//! Turns that were played from the positions of recorded games, for the page's explorer of openings.
//!
//! Positions that are images of each other by a symmetry of the rules count as one: each stands in the form whose text
//! comes first. So do the turns of a position that is its own image.

use crate::alike;
use hippolyta::engine::Board;
use hippolyta::games::variant::Variant;
use hippolyta::games::{Symmetry, Turn};
use hippolyta_protocol::records::Record;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// The value of the file's field `format`.
const FORMAT: &str = "hippolyta explorer 1";
/// The results that count, in the order of [`Counts`].
const RESULTS: [&str; 3] = ["1-0", "1/2-1/2", "0-1"];

/// Games that White won, that were drawn, and that Black won.
type Counts = [u32; 3];

/// The games of a rule set.
#[derive(Serialize)]
struct Played {
    games: u32,
    /// For each symmetry of the rules, where the squares of a FEN, in its order, come to lie.
    symmetries: Vec<String>,
    /// By the key of a position's form, the turns that were played from there.
    positions: BTreeMap<String, BTreeMap<String, Counts>>,
    /// The form of each key.
    #[serde(skip)]
    forms: BTreeMap<String, String>,
}

/// Counts of turns in the openings of games.
pub struct Explorer {
    plies: usize,
    /// By the rule set's name, or by its rules if it is of one's own: several may have one name.
    played: BTreeMap<String, Played>,
}

/// The file that comes with the program: `docs/games`, which a test compares it with.
pub const EXPLORER: &str = include_str!("explorer.json");

/// FNV-1a with 32 bits, which a page computes in one line. Of a few thousand positions no two have the same, or
/// [`Explorer::count`] says so.
fn key(form: &str) -> String {
    let mix = |hash: u32, byte: u8| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
    format!("{:08x}", form.bytes().fold(0x811c_9dc5, mix))
}

/// A turn of the position as it is in the form to which these symmetries lead.
fn turn_of_form(turn: &Turn, ways: &[Symmetry], board: &Board) -> Option<Turn> {
    let image = |turn: &Turn| ways.iter().filter_map(|symmetry| symmetry.turn(turn, board.size())).min();
    board.ways(turn).iter().filter_map(image).min()
}

impl Played {
    fn new(variant: &Variant) -> Self {
        let size = Board::new(variant).size();
        let symmetries = variant.symmetries(size);
        let all = squares(size);
        let image = |symmetry: &Symmetry| {
            all.iter().filter_map(|&square| symmetry.square(square, size)).map(|square| square.to_string()).collect()
        };
        let symmetries = symmetries.iter().map(image).collect();
        Self { games: 0, symmetries, positions: BTreeMap::new(), forms: BTreeMap::new() }
    }
}

/// The squares of a FEN in its order.
fn squares((files, ranks): (usize, usize)) -> Vec<hippolyta::board::Square> {
    let rank = |rank| (0..files).filter_map(move |file| hippolyta::board::Square::at(file, rank));
    (0..ranks).rev().flat_map(rank).collect()
}

impl Explorer {
    /// No games yet; of each game this number of plies counts.
    pub fn new(plies: usize) -> Self {
        Self { plies, played: BTreeMap::new() }
    }

    /// Counts a game whose result is known. A turn that is played twice from a position counts once.
    ///
    /// # Errors
    ///
    /// In words, if its position has the key of another.
    pub fn count(&mut self, record: &Record) -> Result<(), String> {
        let Some(result) = RESULTS.iter().position(|&result| result == record.result()) else { return Ok(()) };
        let mut board = Board::from_fen(&record.variant, &record.fen).map_err(|error| error.to_string())?;
        let played = self.played.entry(record.variant.text()).or_insert_with(|| Played::new(&record.variant));
        played.games += 1;
        let mut seen = BTreeSet::new();
        for entry in record.main_line().take(self.plies) {
            let (form, ways) = alike::form(&record.variant, &board.fen());
            let key = key(&form);
            if *played.forms.entry(key.clone()).or_insert_with(|| form.clone()) != form {
                return Err(format!("{form} has the key of another position"));
            }
            if let Some(turn) = turn_of_form(&entry.turn, &ways, &board)
                && seen.insert((key.clone(), turn.clone()))
            {
                let counts = played.positions.entry(key).or_default().entry(turn.to_string()).or_default();
                counts[result] += 1;
            }
            board.play_turn(&entry.turn).map_err(|error| error.to_string())?;
        }
        Ok(())
    }

    /// Games that count.
    pub fn games(&self) -> u32 {
        self.played.values().map(|played| played.games).sum()
    }

    /// Leaves out positions that fewer games had.
    pub fn leave_out_below(&mut self, least: u32) {
        for played in self.played.values_mut() {
            played.positions.retain(|_, turns| turns.values().flatten().sum::<u32>() >= least);
        }
    }

    /// The file: JSON, a line for each rule set.
    ///
    /// # Panics
    ///
    /// Never: all of it can be written.
    pub fn text(&self) -> String {
        let line = |(name, played): (&String, &Played)| {
            let name = serde_json::to_string(name).unwrap_or_else(|error| panic!("{error}"));
            let played = serde_json::to_string(played).unwrap_or_else(|error| panic!("{error}"));
            format!("{name}:{played}")
        };
        let lines: Vec<_> = self.played.iter().map(line).collect();
        let (plies, lines) = (self.plies, lines.join(",\n"));
        format!("{{\"format\":\"{FORMAT}\",\"plies\":{plies},\"variants\":{{\n{lines}\n}}}}\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hippolyta::games::Fen;
    use hippolyta::games::variant::find;
    use hippolyta_protocol::records::{Entry, Note};

    /// A game of turns that a number chooses, and perhaps its image, with a result.
    fn game(variant: &Variant, number: usize, symmetry: Symmetry) -> Record {
        let mut board = Board::new(variant);
        let start: Fen = board.fen().parse().unwrap();
        let mut turns = Vec::new();
        for ply in 0..5 {
            let legal = board.legal_turns().all();
            // Few different ones, so that games meet.
            let turn = legal[[0, legal.len() - 1][(number >> ply) % 2]].clone();
            board.play_turn(&turn).unwrap();
            turns.push((symmetry.turn(&turn, board.size()).unwrap().to_string(), Note::default()));
        }
        let result = RESULTS[number % 3].to_owned();
        let fen = start.image(symmetry).to_string();
        Record::new(variant, &fen, BTreeMap::from([("Result".to_owned(), result)]), turns).unwrap()
    }

    /// Compared with a look at every position of every game.
    #[test]
    fn counts_are_those_of_a_naive_count() {
        const PLIES: usize = 3;
        /// It does not matter which piece fires.
        const LONE: &str = "lone = { start = '1q2q1/6/6/6/1Q2Q1 w', move-or-fire = true }";
        for (name, image) in [
            ("amazons6", Symmetry::MIRROR),
            ("damone", Symmetry::DIAGONAL),
            ("iago", Symmetry::MIRROR),
            (LONE, Symmetry::MIRROR),
        ] {
            let variant = &find(name).unwrap();
            let symmetries = variant.symmetries(Board::new(variant).size());
            let games: Vec<_> =
                (0..24).map(|number| game(variant, number, [symmetries[0], image][number % 2])).collect();
            let mut explorer = Explorer::new(PLIES);
            games.iter().for_each(|game| explorer.count(game).unwrap());
            let counted: Vec<_> = games.iter().map(|game| positions(game, PLIES)).collect();
            let mut met = 0;
            for (fen, turn, _) in games.iter().flat_map(|game| positions(game, PLIES + 1)) {
                let board = Board::from_fen(variant, &fen.to_string()).unwrap();
                let (form, ways) = alike::form(variant, &board.fen());
                let others = board.legal_turns().all().into_iter().take(8);
                for turn in others.chain([turn]) {
                    let of_form = turn_of_form(&turn, &ways, &board).unwrap().to_string();
                    let counts = explorer.played[&variant.text()]
                        .positions
                        .get(&key(&form))
                        .and_then(|turns| turns.get(&of_form));
                    let ways_of = board.ways(&turn);
                    let is_it = |(there, played, _): &(Fen, Turn, usize)| {
                        symmetries.iter().any(|&symmetry| {
                            fen.image(symmetry).position() == there.position()
                                && ways_of.iter().any(|way| symmetry.turn(way, board.size()).as_ref() == Some(played))
                        })
                    };
                    let mut expected = Counts::default();
                    for game in &counted {
                        if let Some((_, _, result)) = game.iter().find(|at| is_it(at)) {
                            expected[*result] += 1;
                        }
                    }
                    assert_eq!(counts.copied().unwrap_or_default(), expected, "{name}: {fen} {turn}");
                    met += u32::from(expected.iter().sum::<u32>() > 1);
                }
            }
            assert!(met > 50, "{name}: {met}");
        }
    }

    /// Each position of a game's first plies, with the turn that was played, and the game's result.
    fn positions(game: &Record, plies: usize) -> Vec<(Fen, Turn, usize)> {
        let mut board = Board::from_fen(&game.variant, &game.fen).unwrap();
        let result = RESULTS.iter().position(|&result| result == game.result()).unwrap();
        let play = |entry: &Entry| {
            let fen = board.fen().parse().unwrap();
            board.play_turn(&entry.turn).unwrap();
            (fen, entry.turn.clone(), result)
        };
        game.main_line().take(plies).map(play).collect()
    }

    #[test]
    fn rules_of_ones_own_are_told_apart_though_they_have_one_name() {
        let lines = ["mine = { title = 'A \"new\" game', moves = 'N' }", "mine = { moves = 'K' }"];
        let mut explorer = Explorer::new(4);
        for variant in lines.map(|line| find(line).unwrap()) {
            explorer.count(&game(&variant, 1, Symmetry::MIRROR)).unwrap();
        }
        let told: serde_json::Value = serde_json::from_str(&explorer.text()).unwrap();
        for variant in lines.map(|line| find(line).unwrap()) {
            assert_eq!(told["variants"][variant.text()]["games"], 1, "{told}");
        }
    }

    #[test]
    fn positions_of_few_games_are_left_out() {
        let mut explorer = Explorer::new(5);
        (0..8).for_each(|number| explorer.count(&game(&find("amazons6").unwrap(), number, Symmetry::MIRROR)).unwrap());
        let had = |explorer: &Explorer| -> Vec<u32> {
            let turns = explorer.played["amazons6"].positions.values();
            turns.map(|turns| turns.values().flatten().sum()).collect()
        };
        let all = had(&explorer);
        assert!(all.contains(&1) && all.contains(&8), "{all:?}");
        explorer.leave_out_below(2);
        assert_eq!(had(&explorer), all.into_iter().filter(|&games| games >= 2).collect::<Vec<_>>());
    }

    #[test]
    fn games_without_a_result_do_not_count() {
        let mut explorer = Explorer::new(4);
        let mut open = game(&find("amazons6").unwrap(), 1, Symmetry::MIRROR);
        open.tags.insert("Result".to_owned(), "*".to_owned());
        explorer.count(&open).unwrap();
        assert_eq!(explorer.games(), 0);
        assert_eq!(explorer.text(), "{\"format\":\"hippolyta explorer 1\",\"plies\":4,\"variants\":{\n\n}}\n");
    }
}
