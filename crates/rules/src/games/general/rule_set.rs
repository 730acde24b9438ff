use super::{FireAt, Flips, Leaves, Rules, Stuck, Turns};
use crate::board::{Bitboard, Geometry, Reach, ReachTable};
use crate::games::amazons::MAX_AMAZONS;
use crate::games::variant::{self, Family, Variant};
use crate::games::{Board, Ending, Piece, Side, fen};

impl Rules {
    /// The rules of a rule set in these terms; `None` of Damone's, which is no game of move and fire.
    ///
    /// ```
    /// use hippolyta_rules::games::general::{Flips, Leaves, Rules};
    /// use hippolyta_rules::games::variant;
    ///
    /// let rules = Rules::of(&variant::find("desdemona")?).ok_or("a game of move and fire")?;
    /// assert!(rules.rim_barred && rules.flips == Flips::Run(Leaves::Own));
    /// assert_eq!(Rules::of(&variant::find("damone")?), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn of(variant: &Variant) -> Option<Self> {
        if let Some(own) = variant.own() {
            return Some(own.rules);
        }
        match variant.family() {
            Family::Amazons => Some(Self::AMAZONS),
            Family::Desdemona(rules) => Some(*rules),
            Family::General(rules) => Some(rules),
            Family::Damone(_) => None,
        }
    }
}

/// A rule set of one's own: rules, where they begin, and words for people.
///
/// ```
/// use hippolyta_rules::board::Reach;
/// use hippolyta_rules::games::Board;
/// use hippolyta_rules::games::general::{RuleSet, Rules};
///
/// let knights = RuleSet {
///     name: "knights".to_owned(),
///     title: "Knight Amazons".to_owned(),
///     description: String::new(),
///     start: "1q2q1/q4q/6/6/Q4Q/1Q2Q1 w - - 0 1".to_owned(),
///     rules: Rules { moves: [Reach::KNIGHT; 2], ..Rules::AMAZONS },
/// };
/// assert!(knights.check().is_ok());
/// assert_eq!(Board::new(&knights.variant()).variant().name(), "knights");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleSet {
    /// Its name in the protocols and on the command line: small letters, digits and dashes.
    pub name: String,
    /// Its name for people.
    pub title: String,
    /// The description, in a sentence or two; may be empty.
    pub description: String,
    /// The FEN of the start position.
    pub start: String,
    /// The rules.
    pub rules: Rules,
}

/// The part of a rule set that is wrong.
///
/// ```
/// use hippolyta_rules::games::general::{FireAt, Flips, Leaves, Part, RuleSet, Rules};
///
/// let rules = Rules { flips: Flips::Run(Leaves::Own), fire_at: FireAt::Left, ..Rules::AMAZONS };
/// let start = "1q2q1/q4q/6/6/Q4Q/1Q2Q1 w".to_owned();
/// let set = RuleSet { name: "x".to_owned(), title: String::new(), description: String::new(), start, rules };
/// assert_eq!(set.check().unwrap_err().part, Part::Flips);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Part {
    Name,
    Title,
    Description,
    Start,
    Protected,
    Passes,
    Turns,
    Flips,
    Stuck,
    StuckPasses,
}

/// Why a rule set cannot be.
///
/// ```
/// use hippolyta_rules::games::general::{Part, Problem};
/// let problem = Problem { part: Part::Name, message: "a rule set needs a name".to_owned() };
/// assert_eq!(problem.to_string(), "a rule set needs a name");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Problem {
    /// The part that is wrong.
    pub part: Part,
    /// Why, in one line.
    pub message: String,
}

/// The longest name.
const LONGEST_NAME: usize = 40;
/// Letters of a title, and of a description.
const LONGEST_TITLE: usize = 100;
const LONGEST_DESCRIPTION: usize = 2_000;

impl RuleSet {
    /// Whether it can be played.
    ///
    /// # Errors
    ///
    /// The first of its [`problems`](Self::problems).
    pub fn check(&self) -> Result<(), Problem> {
        self.problems().into_iter().next().map_or(Ok(()), Err)
    }

    /// All that cannot be: a bad name or start, rules that contradict each other or have no effect, or a start without
    /// a turn.
    #[must_use]
    pub fn problems(&self) -> Vec<Problem> {
        let mut all = Vec::new();
        let problem = |part, message: &str| Problem { part, message: message.to_owned() };
        let letters = |text: &str| text.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_'));
        if !self.name.starts_with(|first: char| first.is_ascii_lowercase()) || !letters(&self.name) {
            all.push(problem(Part::Name, "a name has small letters, digits and dashes, and begins with a letter"));
        } else if self.name.len() > LONGEST_NAME {
            all.push(Problem { part: Part::Name, message: format!("a name has {LONGEST_NAME} letters at most") });
        } else if variant::built_in(&self.name).is_some() {
            all.push(problem(Part::Name, "a rule set of this name is built in: another name is needed"));
        }
        for (part, text, most) in
            [(Part::Title, &self.title, LONGEST_TITLE), (Part::Description, &self.description, LONGEST_DESCRIPTION)]
        {
            let letters = text.chars().count();
            if letters > most {
                all.push(Problem { part, message: format!("{letters} letters: {most} are possible") });
            }
        }
        let at_start = |message: String| Problem { part: Part::Start, message };
        match fen::parse(&self.start, "QqSs*") {
            Err(error) => all.push(at_start(error.to_string())),
            Ok(fen) => self.rules.problems(&fen, &mut all),
        }
        if !all.is_empty() {
            return all;
        }
        let rules = &self.rules;
        match Board::from_fen(&self.variant(), &self.start) {
            Err(error) => all.push(at_start(error.to_string())),
            Ok(board) if rules.moves_first != board.move_only() => {
                let flag = if rules.moves_first { "m" } else { "-" };
                all.push(at_start(format!("the third field of the FEN must be {flag} by these rules")));
            }
            Ok(board) => match board.ending() {
                None => {}
                Some(Ending::Quiet) => {
                    let turns = board.quiet();
                    all.push(at_start(format!("after {turns} turns without fire the game is a draw at the start")));
                }
                Some(_) => all.push(at_start(format!("{} has no complete turn at the start", board.side_to_move()))),
            },
        }
        all
    }

    /// The rule set for boards, engines and protocols, with its start in the usual spelling.
    ///
    /// ```
    /// use hippolyta_rules::games::general::{RuleSet, Rules};
    ///
    /// let (name, start) = ("misere".to_owned(), "q2/3/2Q".to_owned());
    /// let set = RuleSet { name, title: String::new(), description: String::new(), start, rules: Rules::AMAZONS };
    /// assert_eq!(set.variant().start(), "q2/3/2Q w - - 0 1");
    /// assert_eq!(set.variant().own().map(|own| &own.name), Some(&set.name));
    /// assert_eq!(RuleSet { title: "Misère".to_owned(), ..set.clone() }.variant(), set.variant());
    /// ```
    #[must_use]
    pub fn variant(&self) -> Variant {
        Variant::of(self.usual())
    }

    /// The rule set as equal ones are spelled: with all fields of the start, and nothing said of what has no meaning.
    fn usual(&self) -> Self {
        let mut set = self.clone();
        if let Ok(fen) = self.start.parse::<fen::Fen>() {
            set.start = fen.to_string();
        }
        if set.rules.fire_at != FireAt::Reach {
            set.rules.fires = Rules::AMAZONS.fires;
        }
        set
    }
}

impl Rules {
    /// Adds what cannot be with this start: too few or too many pieces, and rules that contradict each other or never
    /// have an effect.
    fn problems(&self, start: &fen::Fen, all: &mut Vec<Problem>) {
        let mut add = |part, message: String| all.push(Problem { part, message });
        let count = |wanted: Piece| start.pieces.iter().filter(|(_, piece)| *piece == wanted).count();
        for side in [Side::White, Side::Black] {
            let (pieces, letter) = (count(Piece::Amazon(side)), Piece::Amazon(side));
            if !(1..=MAX_AMAZONS).contains(&pieces) {
                let possible = format!("1 to {MAX_AMAZONS} are possible");
                add(Part::Start, format!("{side} has {pieces} pieces ({letter}) at the start: {possible}"));
            }
        }
        let [white, black] = self.protected;
        if let Some(square) = ((white | black) & !open_squares(start)).first() {
            add(Part::Protected, format!("no fire could land on {square}, as it is a hole or not on the board"));
        }
        let stones_at_start = [Side::White, Side::Black].iter().any(|&side| count(Piece::Stone(side)) > 0);
        // A fire over stones leaves one more only where there are some.
        let has_stones = stones_at_start || self.plain == Leaves::Own;
        let over_nothing = "but leaps and steps to the next square are over nothing";
        let no_stones = "but no fire leaves stones of its side and none stand at the start";
        let no_line = "but no three squares in such a line are left on this board";
        let flips = match self.flips {
            Flips::None => None,
            _ if !has_stones => Some(format!("stones flip, {no_stones}")),
            Flips::Run(_) if self.fire_at != FireAt::Reach => {
                Some("only fires from where a piece stands go over a run of stones".to_owned())
            }
            Flips::Run(_) if self.turns == Turns::MoveOrFire => {
                Some("fires go over a run of stones after a move, but a turn that fires does not move".to_owned())
            }
            Flips::Run(_) if self.fires.iter().all(|fires| fires.long_lines().is_none()) => {
                Some(format!("fires go over a run of stones, {over_nothing}"))
            }
            Flips::Lines if self.plain != Leaves::Own => {
                Some("stones flip between two stones of a side, but fires leave none".to_owned())
            }
            Flips::Run(_) if !self.fires.iter().any(|&fires| has_three_in_line(start, fires)) => {
                Some(format!("stones flip, {no_line}"))
            }
            Flips::Lines if !has_three_in_line(start, Reach::QUEEN) => Some(format!("stones flip, {no_line}")),
            Flips::Run(_) | Flips::Lines => None,
        };
        if self.turns == Turns::MoveOrFire && self.fire_at == FireAt::Left {
            let message = "a fire needs a square that a piece has left, but a turn that fires does not move";
            add(Part::Turns, message.to_owned());
        }
        flips.into_iter().for_each(|message| add(Part::Flips, message));
        let counts = matches!(self.stuck, Stuck::MostStones(_) | Stuck::FewestStones(_));
        if counts && !has_stones {
            add(Part::Stuck, format!("stones are counted, {no_stones}"));
        }
        if self.stuck_passes && !counts {
            add(Part::StuckPasses, "without meaning, as stones are not counted".to_owned());
        }
        if self.passes_stones && !has_stones {
            add(Part::Passes, format!("pieces pass over stones, {no_stones}"));
        } else if (self.passes_pieces || self.passes_stones)
            && self.moves.iter().all(|moves| moves.long_lines().is_none())
        {
            add(Part::Passes, format!("pieces pass over others, {over_nothing}"));
        } else if (self.passes_pieces || self.passes_stones)
            && !self.moves.iter().any(|&moves| has_three_in_line(start, moves))
        {
            add(Part::Passes, format!("pieces pass over others, {no_line}"));
        }
    }
}

/// The squares of a board that are not closed for good, as neutral ones are.
pub(super) fn open_squares(start: &fen::Fen) -> Bitboard {
    let neutral = start.pieces.iter().filter(|(_, piece)| *piece == Piece::Neutral);
    let closed: Bitboard = neutral.map(|(square, _)| *square).collect();
    Geometry::get(start.files, start.ranks).map_or(Bitboard::EMPTY, |board| board.squares() & !closed)
}

/// Whether two squares of the board on a line that leads so have a third one between them.
fn has_three_in_line(start: &fen::Fen, reach: Reach) -> bool {
    let Some(lines) = reach.long_lines() else { return false };
    let Ok(board) = Geometry::get(start.files, start.ranks) else { return true };
    let (open, table) = (open_squares(start), ReachTable::get(lines));
    open.into_iter().any(|square| !(table.targets(square, open) & !board.neighbours(square)).is_empty())
}
