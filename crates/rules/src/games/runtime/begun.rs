use super::board::Board;
use super::pieces::Pieces;
use crate::board::Square;
use crate::games::Turn;

/// A turn that is chosen square by square: the piece, each square that it goes to, and what it fires at. Whoever lets
/// people click, tap or type squares needs no more of the rules than this. Where a turn need not fire, the square that
/// the piece goes to is chosen again to end it there.
///
/// ```
/// use hippolyta_rules::games::{BegunTurn, Board};
/// use hippolyta_rules::games::variant;
///
/// let board = Board::from_fen(&variant::find("amazons")?, "q2/3/2Q w")?;
/// let mut begun = BegunTurn::new(&board);
/// assert_eq!(begun.next(), ["c1".parse()?]);
/// assert_eq!(begun.choose("c1".parse()?), Some(None));
/// assert_eq!(begun.choose("a2".parse()?), None); // the amazon cannot go there, and c1 stays chosen
/// assert_eq!(begun.choose("b1".parse()?), Some(None));
/// let turn = begun.choose("a1".parse()?).flatten().ok_or("a whole turn")?;
/// assert_eq!(turn.to_string(), "c1b1,b1a1");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct BegunTurn {
    legal: Vec<Turn>,
    chosen: Vec<Square>,
    /// Some turns fire here, and others do not.
    may_hold: bool,
}

impl BegunTurn {
    /// A turn of which nothing is chosen.
    #[must_use]
    pub fn new(board: &Board) -> Self {
        let legal: Vec<Turn> = board.legal_turns().all().iter().flat_map(|turn| board.ways(turn)).collect();
        let fires = |turn: &Turn| turn.fire().is_some();
        let stays = |turn: &Turn| fires(turn) && turn.from() == turn.to();
        let may_hold = legal.iter().any(fires) && !legal.iter().all(fires) && !legal.iter().any(stays);
        Self { legal, chosen: Vec::new(), may_hold }
    }

    /// A turn of which these squares are chosen; `None` if no legal turn begins so.
    #[must_use]
    pub fn with(board: &Board, chosen: &[Square]) -> Option<Self> {
        let begun = Self { chosen: chosen.to_vec(), ..Self::new(board) };
        let is_legal = begun.turns().next().is_some();
        is_legal.then_some(begun)
    }

    /// The squares chosen so far.
    #[must_use]
    pub fn chosen(&self) -> &[Square] {
        &self.chosen
    }

    /// The legal turns that begin with the squares chosen, in the order of the rules.
    pub fn turns(&self) -> impl Iterator<Item = &Turn> {
        self.legal.iter().filter(|turn| self.way(turn).take(self.chosen.len()).eq(self.chosen.iter().copied()))
    }

    /// The squares that are chosen for a turn.
    fn way(&self, turn: &Turn) -> impl Iterator<Item = Square> {
        let again = (self.may_hold && turn.fire().is_none()).then_some(turn.to());
        turn.squares().iter().copied().chain(again)
    }

    /// The turn that the chosen squares make; `None` while it is not whole.
    #[must_use]
    pub fn whole(&self) -> Option<&Turn> {
        self.turns().find(|turn| self.way(turn).count() == self.chosen.len())
    }

    /// The squares that may be chosen next, sorted.
    #[must_use]
    pub fn next(&self) -> Vec<Square> {
        let mut next: Vec<_> = self.turns().filter_map(|turn| self.way(turn).nth(self.chosen.len())).collect();
        next.sort_unstable();
        next.dedup();
        next
    }

    /// Chooses a square: `None`, and nothing changes, if no legal turn goes on so; else the turn if it is whole now.
    pub fn choose(&mut self, square: Square) -> Option<Option<Turn>> {
        self.chosen.push(square);
        if self.turns().next().is_none() {
            self.chosen.pop();
            return None;
        }
        Some(self.whole().cloned())
    }

    /// Takes the last square back. False if none is chosen.
    pub fn take_back(&mut self) -> bool {
        self.chosen.pop().is_some()
    }

    /// Forgets the squares chosen. False if there are none.
    pub fn clear(&mut self) -> bool {
        !std::mem::take(&mut self.chosen).is_empty()
    }

    /// `pieces` as they stand while the turn is chosen: its piece where it has got to, and what it captures still there.
    #[must_use]
    pub fn shown(&self, pieces: Pieces) -> Pieces {
        match self.chosen[..] {
            [from, .., to] => pieces.moved(from, to),
            _ => pieces,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::general::{RuleSet, Rules, Turns};
    use crate::games::variant::{VARIANTS, find};
    use std::collections::HashSet;

    #[test]
    fn squares_lead_to_all_turns_and_to_nothing_else() {
        fn walk(begun: &BegunTurn, turns: &mut HashSet<Turn>) {
            let next = begun.next();
            assert!(!next.is_empty() && next.is_sorted());
            for square in next {
                let mut after = begun.clone();
                match after.choose(square) {
                    Some(Some(turn)) => assert!(turns.insert(turn)),
                    Some(None) => walk(&after, turns),
                    None => panic!("{square} was offered"),
                }
                assert!(after.take_back());
                assert_eq!(after.chosen(), begun.chosen());
            }
        }
        for variant in VARIANTS.iter().filter(|variant| variant.name() != "amazons") {
            let board = Board::new(variant);
            let mut turns = HashSet::new();
            walk(&BegunTurn::new(&board), &mut turns);
            assert_eq!(turns, board.legal_turns().all().into_iter().collect(), "{}", variant.name());
        }
    }

    #[test]
    fn an_amazon_stands_where_it_has_got_to() {
        let board = Board::new(&find("amazons").unwrap());
        let [from, to, no] = ["d1", "d7", "e1"].map(|text| text.parse().unwrap());
        let mut begun = BegunTurn::with(&board, &[from, to]).unwrap();
        let shown = begun.shown(board.pieces());
        assert_eq!((shown.at(from), shown.at(to)), (None, board.pieces().at(from)));
        assert_eq!((begun.choose(no), begun.chosen()), (None, &[from, to][..]));
        assert!(begun.clear() && !begun.clear() && !begun.take_back());
        assert!(BegunTurn::with(&board, &[to]).is_none());
    }

    #[test]
    fn a_turn_that_need_not_fire_ends_where_its_piece_is_chosen_again() {
        let rules = Rules { turns: Turns::FireOptional, ..Rules::AMAZONS };
        let (name, start) = ("holding".to_owned(), "q2/3/2Q w - - 0 1".to_owned());
        let set = RuleSet { name, title: String::new(), description: String::new(), start, rules };
        let board = Board::new(&set.variant());
        let [from, to, at] = ["c1", "b1", "a1"].map(|text| text.parse().unwrap());
        let mut begun = BegunTurn::with(&board, &[from, to]).unwrap();
        assert!(begun.whole().is_none() && begun.next().contains(&to) && begun.next().contains(&at));
        assert_eq!(begun.choose(to).flatten().map(|turn| turn.to_string()), Some("c1b1".to_owned()));
        assert!(begun.take_back());
        assert_eq!(begun.choose(at).flatten().map(|turn| turn.to_string()), Some("c1b1,b1a1".to_owned()));
    }

    #[test]
    fn any_piece_that_reaches_a_square_may_fire_there() {
        let rules = Rules { turns: Turns::MoveOrFire, ..Rules::AMAZONS };
        let (name, start) = ("either".to_owned(), "q3/4/4/Q2Q w - - 0 1".to_owned());
        let set = RuleSet { name, title: String::new(), description: String::new(), start, rules };
        let board = Board::new(&set.variant());
        let [one, other, at] = ["a1", "d1", "b1"].map(|text| text.parse().unwrap());
        let after = |from| {
            let turn = BegunTurn::with(&board, &[from, from]).unwrap().choose(at).flatten().unwrap();
            let mut after = board.clone();
            after.play_turn(&turn).unwrap();
            assert_eq!(turn.from(), from);
            after.fen()
        };
        assert_eq!(after(one), after(other));
    }

    #[test]
    fn nothing_can_be_chosen_once_the_game_is_over() {
        let over = Board::from_fen(&find("amazons").unwrap(), "Q**/***/**q b - - 0 1").unwrap();
        let mut begun = BegunTurn::new(&over);
        assert_eq!((begun.next(), begun.choose("a1".parse().unwrap())), (vec![], None));
    }
}
