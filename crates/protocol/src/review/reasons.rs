//! Why a turn was worse than the best one, in words, from what is certain or counted in the positions that follow.
//!
//! Four positions are compared: the one after the turn and the one after the answer to it, the one after the best turn
//! and the one after the answer to that. What is better for the player in the second pair was missed or allowed. Where
//! that shows nothing, the positions are compared in which the turns end that are expected after both.

use super::kept;
use super::text::{SHOWN, count as turns, several, side_name, squares};
use crate::records::listed;
use hippolyta::board::flood::connected;
use hippolyta::board::{Bitboard, Geometry, Square};
use hippolyta::endgame::Work;
use hippolyta::endgame::amazons::{Effort, Owner, best_margin, count};
use hippolyta::engine::{Board, Include, owned_now};
use hippolyta::eval::desdemona::unflippable;
use hippolyta::games::amazons::Amazons;
use hippolyta::games::damone::{Damone, Rank};
use hippolyta::games::desdemona::Desdemona;
use hippolyta::games::{Fen, Outcome, Side, Turn};
use serde::Serialize;

/// The subject of a reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(into = "&str")]
pub enum ReasonKind {
    /// A win or a draw was proven and is no longer.
    ThrownAway,
    /// The turn loses by force; the best turn did not.
    ForcedLoss,
    /// The best turn would have won by force.
    MissedWin,
    /// A territory that is closed off.
    Territory,
    /// An amazon that is shut in.
    ShutIn,
    /// Stones that change sides.
    Flips,
    /// Pieces of Damone that are taken.
    Captures,
    /// The number of turns that are left, or of stones at the end.
    Count,
    /// Squares that a side's amazons come to first.
    Reach,
    /// The moves that a side has.
    Mobility,
    /// Pieces of Damone.
    Pieces,
    /// Dame and damoni.
    Promotion,
    /// Damoni.
    Damoni,
    /// Steps until a pedina is promoted.
    Advance,
    /// How the game ends if it goes on as expected.
    End,
}

impl ReasonKind {
    /// `thrown away`, `forced loss`, …: how it is called in one or two words.
    pub fn name(self) -> &'static str {
        match self {
            Self::ThrownAway => "thrown away",
            Self::ForcedLoss => "forced loss",
            Self::MissedWin => "missed win",
            Self::Territory => "territory",
            Self::ShutIn => "shut in",
            Self::Flips => "flips",
            Self::Captures => "captures",
            Self::Count => "count",
            Self::Reach => "reach",
            Self::Mobility => "mobility",
            Self::Pieces => "pieces",
            Self::Promotion => "promotion",
            Self::Damoni => "damoni",
            Self::Advance => "advance",
            Self::End => "end",
        }
    }
}

impl From<ReasonKind> for &str {
    fn from(kind: ReasonKind) -> Self {
        kind.name()
    }
}

/// Which move brings about what a reason tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum By {
    /// The best one.
    Best,
    /// The answer to the one that was played.
    Answer,
    /// That answer, which could have been played already.
    Threat,
    /// The turns expected after the best one.
    BestLine,
    /// The turns expected after the one that was played.
    Line,
}

/// Why a move was a mistake.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "ReasonInfo"))]
pub struct Reason {
    /// The subject: `thrown away`, `forced loss`, `missed win`, `territory`, `shut in`, `flips`, `captures`, `count`,
    /// `reach`, `mobility`, `pieces`, `promotion`, `damoni`, `advance` or `end`.
    #[cfg_attr(test, schemars(with = "String"))]
    pub kind: ReasonKind,
    /// A sentence.
    pub text: String,
    /// The squares that it speaks of.
    #[cfg_attr(test, schemars(with = "Vec<String>"))]
    pub squares: Vec<Square>,
    /// What brings it about: the best move, the answer to the one that was played, a threat that it leaves, or the
    /// moves expected after either.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<By>,
    /// That move.
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "Option<String>"))]
    pub turn: Option<Turn>,
    /// The numbers that the sentence speaks of, in its order; of proven results the expected scores of its player, the
    /// one before and the one now, which is left out if it is not known.
    pub numbers: Vec<f64>,
}

impl Reason {
    /// One that no single move brings about.
    fn alone(kind: ReasonKind, text: String, numbers: Vec<f64>) -> Self {
        Self { kind, text, squares: Vec::new(), by: None, turn: None, numbers }
    }
}

/// What brings something about, with its move if it is one, and how a sentence on that begins.
struct Cause<'a> {
    by: By,
    turn: Option<&'a Turn>,
    words: String,
}

impl Cause<'_> {
    fn reason(&self, kind: ReasonKind, rest: &str, squares: Vec<Square>, numbers: Vec<f64>) -> Reason {
        let text = format!("{} {rest}", self.words);
        Reason { kind, text, squares, by: Some(self.by), turn: self.turn.cloned(), numbers }
    }
}

/// The findings of a search about a position.
#[derive(Clone, Debug)]
pub(crate) struct Known {
    /// White's expected score, 0 … 1.
    pub white: f64,
    /// The result, if it is proven.
    pub proven: Option<Outcome>,
    /// The engine's choice and the turns expected after it; empty if the game is over.
    pub line: Vec<Turn>,
}

/// How two lines go on that are as long as each other, the one that begins with the best move and the one that begins
/// with the move that was played.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "EndsInfo"))]
pub struct Ends {
    /// The line that begins with the best move.
    #[cfg_attr(test, schemars(with = "Vec<String>"))]
    pub best: Vec<Turn>,
    /// The line that begins with the move that was played.
    #[cfg_attr(test, schemars(with = "Vec<String>"))]
    pub played: Vec<Turn>,
    /// The squares, empty at both ends, that the player owns less of at the end of the second line, by half a square or
    /// more.
    pub lost: Vec<LostSquare>,
}

/// Who owns a square, as far as that is known: 1 if White certainly does, −1 if Black does.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct LostSquare {
    /// The square.
    #[cfg_attr(test, schemars(with = "String"))]
    pub square: Square,
    /// At the end of the line with the best move.
    pub best: f64,
    /// At the end of the line with the move that was played.
    pub played: f64,
}

/// Why a turn was worse, by how many turns, and where it leads.
#[derive(Debug, Default)]
pub(super) struct Why {
    pub turns_lost: Option<f64>,
    pub reasons: Vec<Reason>,
    pub ends: Option<Ends>,
}

/// From this many turns on a difference in the lead is worth a sentence.
const NOTABLE: f64 = 1.0;
/// From this many stones on an expected difference at the end is worth one.
const NOTABLE_STONES: f64 = 2.0;
/// An amazon with so few squares to go to, now or ever, is shut in.
const SHUT_IN: u32 = 3;
/// Nobody is shut in where at most one square in this many is empty: then all are.
const LATE: u32 = 5;
/// What either side has later is worth a sentence from these differences on: squares, moves of amazons, steps.
const NOTABLE_SQUARES: i32 = 2;
const NOTABLE_MOVES: i32 = 3;
const NOTABLE_STEPS: i32 = 2;
const NOTABLE_ADVANCE: i32 = 2;
/// A square of which a side owns so much less is lost.
const LOST: f64 = 0.5;
/// So many turns are looked at of those that are expected: with the turn before them as many as the page keeps.
const AHEAD: usize = 7;

/// The counts of a position.
#[derive(Default)]
struct Counts {
    /// Empty squares of the territories of each side.
    territory: [Bitboard; 2],
    /// Turns that each side certainly has in them.
    turns: [u32; 2],
    /// White's lead in turns, where it is exact.
    margin: Option<f64>,
    /// Amazons of each side that are shut in.
    shut_in: [Bitboard; 2],
    /// Stones of each side, and those that never change sides.
    stones: [Bitboard; 2],
    unflippable: [Bitboard; 2],
    /// What each side has of what is compared where lines end.
    holdings: Vec<Holding>,
}

/// What each side has of something, and from which difference on that is worth a sentence.
struct Holding {
    kind: ReasonKind,
    sides: [u32; 2],
    /// Below 0 where it is better to have less.
    notable: i32,
}

/// Squares that each side's amazons come to first, and their moves.
fn holdings(geometry: &Geometry, amazons: [Bitboard; 2], empty: Bitboard) -> Vec<Holding> {
    let targets = |set: Bitboard| set.into_iter().map(|at| geometry.queen_targets(at, empty));
    let moves = amazons.map(|set| targets(set).map(|to| to.count()).sum());
    let (mut first, mut reached, mut last) = ([0; 2], [Bitboard::EMPTY; 2], amazons);
    while last.iter().any(|set| !set.is_empty()) {
        let next = [0, 1].map(|side| targets(last[side]).fold(Bitboard::EMPTY, |all, to| all | to) & !reached[side]);
        reached = [reached[0] | next[0], reached[1] | next[1]];
        for side in [0, 1] {
            first[side] += (next[side] & !reached[1 - side]).count();
        }
        last = next;
    }
    vec![
        Holding { kind: ReasonKind::Reach, sides: first, notable: NOTABLE_SQUARES },
        Holding { kind: ReasonKind::Mobility, sides: moves, notable: NOTABLE_MOVES },
    ]
}

fn shut_in(geometry: &Geometry, amazons: Bitboard, empty: Bitboard) -> Bitboard {
    if empty.count() * LATE <= geometry.squares().count() {
        return Bitboard::EMPTY;
    }
    let mut found = Bitboard::EMPTY;
    for amazon in amazons {
        if connected(geometry, Bitboard::of(amazon), empty).count() <= SHUT_IN {
            found |= Bitboard::of(amazon);
        }
    }
    found
}

impl Counts {
    fn of(board: &Board) -> Self {
        let mut counts = Self::default();
        if let Some(game) = board.game::<Amazons>() {
            let position = game.current();
            let regions = count(position, &Effort::MOVE);
            for counted in &regions {
                if let Owner::Territory(side) = counted.region.owner {
                    let at = side.index();
                    counts.territory[at] |= counted.empty;
                    counts.turns[at] += counted.turns[at].lower;
                }
            }
            let [low, high] = best_margin(position, &regions, &Work::unlimited());
            counts.margin = (low == high).then(|| f64::from(low) / 2.0);
            counts.shut_in = position.both_amazons().map(|set| shut_in(position.geometry(), set, position.empty()));
            counts.holdings = holdings(position.geometry(), position.both_amazons(), position.empty());
        } else if let Some(game) = board.game::<Desdemona>() {
            let position = game.current();
            counts.stones = position.both_stones();
            counts.unflippable = counts.stones.map(|stones| stones & unflippable(position));
            counts.shut_in = position.both_amazons().map(|set| shut_in(position.geometry(), set, position.empty()));
            counts.holdings = holdings(position.geometry(), position.both_amazons(), position.empty());
        } else if let Some(game) = board.game::<Damone>() {
            let board = game.current().board();
            let both = |of: &dyn Fn(Side) -> u32| [Side::White, Side::Black].map(of);
            let of_ranks = |ranks: &[Rank]| both(&|side| ranks.iter().map(|&rank| board.of(side, rank).count()).sum());
            counts.holdings = vec![
                Holding { kind: ReasonKind::Pieces, sides: of_ranks(&Rank::ALL), notable: 1 },
                Holding { kind: ReasonKind::Promotion, sides: of_ranks(&Rank::ALL[1..]), notable: 1 },
                Holding { kind: ReasonKind::Damoni, sides: of_ranks(&Rank::ALL[2..]), notable: 1 },
                Holding {
                    kind: ReasonKind::Mobility,
                    sides: both(&|side| board.quiet_count(side)),
                    notable: NOTABLE_STEPS,
                },
            ];
            let steps = [Side::White, Side::Black].map(|side| board.steps_to_promotion(side));
            if let [Some(white), Some(black)] = steps {
                let sides = [white, black];
                counts.holdings.push(Holding { kind: ReasonKind::Advance, sides, notable: -NOTABLE_ADVANCE });
            }
        } else if let Some(territory) = owned_now(board, Include { territory: true, ..Include::default() }).territory {
            for region in &territory.regions {
                if let Owner::Territory(side) = region.owner {
                    let at = side.index();
                    let empty = region.squares.iter().filter(|square| board.at(**square).is_none());
                    counts.territory[at] |= empty.fold(Bitboard::EMPTY, |all, &square| all | Bitboard::of(square));
                    counts.turns[at] += [region.turns.white, region.turns.black][at][0];
                }
            }
            let sign = if board.side_to_move() == Side::White { 1.0 } else { -1.0 };
            counts.margin = territory.margin.map(|margin| sign * margin);
        }
        counts
    }
}

/// A turn, the position after it, and the position after the answer to it.
struct Branch<'a> {
    turn: &'a Turn,
    answer: Option<&'a Turn>,
    /// The turns expected after it, the answer first.
    line: &'a [Turn],
    after: Counts,
    /// `after` itself if the game is over.
    answered: Counts,
    /// Pieces that its player takes and loses until the first turn that takes none.
    exchange: [Vec<Square>; 2],
    /// The turn with which the opponent takes pieces.
    taking: Option<Turn>,
}

impl<'a> Branch<'a> {
    fn new(board: &Board, turn: &'a Turn, known: &'a Known) -> Option<Self> {
        let mut now = board.clone();
        let mut exchange = [now.effects(turn).ok()?.captured, Vec::new()];
        now.play_turn(turn).ok()?;
        let after = Counts::of(&now);
        let mut answered = now.clone();
        let answer = known.line.first().filter(|answer| answered.play_turn(answer).is_ok());
        let mut taking = None;
        for (ply, next) in known.line.iter().enumerate() {
            let Ok(effects) = now.effects(next) else { break };
            if ply > 0 && effects.captured.is_empty() {
                break;
            }
            if ply % 2 == 0 && !effects.captured.is_empty() && taking.is_none() {
                taking = Some(next.clone());
            }
            exchange[1 - ply % 2].extend(effects.captured);
            now.play_turn(next).ok()?;
        }
        Some(Self { turn, answer, line: &known.line, after, answered: Counts::of(&answered), exchange, taking })
    }

    /// White's exact lead in the end, seen by a side.
    fn lead_of(&self, side: Side) -> Option<f64> {
        self.answered.margin.map(|lead| if side == Side::White { lead } else { -lead })
    }

    /// The turn, and so many of those that are expected then.
    fn turns(&self, count: usize) -> impl Iterator<Item = &'a Turn> {
        std::iter::once(self.turn).chain(self.line.iter().take(count))
    }

    /// Pieces taken less pieces lost.
    fn gain(&self) -> i32 {
        self.exchange[0].len() as i32 - self.exchange[1].len() as i32
    }
}

/// `2 turns`, `2.5 turns`.
fn lead_words(lead: f64) -> String {
    if lead == 1.0 { "1 turn".to_owned() } else { format!("{lead} turns") }
}

/// Compares the turn that was played with the best one.
pub(super) fn why(
    board: &Board,
    (best, after_best): (&Turn, &Known),
    (played, after): (&Turn, &Known),
    before: &Known,
) -> Why {
    let side = board.side_to_move();
    let proven = results(side, before, after_best, after);
    let (Some(best), Some(played)) = (Branch::new(board, best, after_best), Branch::new(board, played, after)) else {
        return Why { turns_lost: None, reasons: proven, ends: None };
    };
    let compared = Compared { side, start: Counts::of(board), board, best, played };
    let turns_lost = compared.turns_lost();
    let (turns, reasons) = compared.reasons(proven, turns_lost);
    Why { turns_lost: turns_lost.map(kept), reasons, ends: compared.ends(turns) }
}

fn for_side(side: Side, known: &Known) -> Option<i32> {
    known.proven.map(|outcome| i32::from(outcome.half_points(side)) - 1)
}

/// Reasons by proven results.
fn results(side: Side, before: &Known, after_best: &Known, after: &Known) -> Vec<Reason> {
    let [had, could, has] = [before, after_best, after].map(|known| for_side(side, known));
    let (own, other) = (side_name(side), side_name(!side));
    let reason = |kind, text| {
        let scores = [had.or(could), has].into_iter().flatten().map(|score| f64::from(score + 1) / 2.0);
        vec![Reason::alone(kind, text, scores.collect())]
    };
    let now = match has {
        Some(0) => "now the game is a draw".to_owned(),
        Some(-1) => format!("now {other} wins by force"),
        _ => "now it is open".to_owned(),
    };
    match (had.or(could), has) {
        (Some(1), Some(1)) => Vec::new(),
        (Some(1), _) if had.is_none() => {
            reason(ReasonKind::MissedWin, format!("The best turn wins by force: it is proven; {now}."))
        }
        (Some(1), _) => reason(ReasonKind::ThrownAway, format!("{own} had a proven win; {now}.")),
        (Some(0), Some(-1)) => reason(ReasonKind::ThrownAway, format!("{own} had a proven draw; {now}.")),
        (Some(-1), _) => Vec::new(),
        (_, Some(-1)) => reason(ReasonKind::ForcedLoss, format!("{other} wins by force after it: it is proven.")),
        _ => Vec::new(),
    }
}

/// By how many stones a side is expected to be ahead at the end after these turns.
fn stones_at_end(board: &Board, turns: [Option<&Turn>; 2], side: Side) -> Option<f64> {
    let mut board = board.clone();
    for turn in turns.into_iter().flatten() {
        board.play_turn(turn).ok()?;
    }
    let margin = owned_now(&board, Include { stones: true, ..Include::default() }).stones?.expected_margin;
    Some(if board.side_to_move() == side { margin } else { -margin })
}

/// What a side gains by something, seen in two positions.
struct Seen<'a> {
    cause: Cause<'a>,
    by: Side,
    /// With it, and without it.
    there: &'a Counts,
    here: &'a Counts,
}

/// The squares, empty on both boards, of which a side owns less on the second; none once a game is over.
fn lost(side: Side, boards: [&Board; 2]) -> Vec<LostSquare> {
    let include = Include { ownership: true, ..Include::default() };
    let [best, played] = boards.map(|board| {
        let sign = if board.side_to_move() == Side::White { 1.0 } else { -1.0 };
        let owned = if board.outcome().is_some() { None } else { owned_now(board, include).ownership };
        owned.unwrap_or_default().into_iter().map(move |owner| sign * owner.unwrap_or(0.0) + 0.0)
    });
    let own = if side == Side::White { 1.0 } else { -1.0 };
    let pieces = boards[0].pieces();
    let owners = pieces.squares().zip(best.zip(played));
    let lost = owners.filter_map(|((square, piece), (best, played))| {
        let is_empty = piece.is_none() && boards[1].at(square).is_none();
        (is_empty && own * (best - played) >= LOST).then_some(LostSquare { square, best, played })
    });
    lost.collect()
}

/// The best turn and the one that was played, from the same position.
struct Compared<'a> {
    side: Side,
    board: &'a Board,
    start: Counts,
    best: Branch<'a>,
    played: Branch<'a>,
}

impl Compared<'_> {
    /// What is proven with what else is found, and the number of turns after which to show both positions.
    fn reasons(&self, mut reasons: Vec<Reason>, turns_lost: Option<f64>) -> (usize, Vec<Reason>) {
        let near = self.near();
        reasons.extend(self.territories(&near));
        reasons.extend(self.shut_in(&near));
        reasons.extend(self.flips());
        reasons.extend(self.captures());
        reasons.extend(self.count(turns_lost));
        if reasons.is_empty() {
            reasons.extend(self.stones_at_end());
        }
        if !reasons.is_empty() {
            return (SHOWN, reasons);
        }
        let (turns, found) = self.later();
        (turns.unwrap_or(SHOWN), found)
    }

    /// `Black can answer e5e7,e7c5, which`, or, if it could be played before already, `It overlooks the threat of Black,
    /// e5e7,e7c5, which`.
    fn answer(&self) -> Option<Cause<'_>> {
        let (answer, other) = (self.played.answer?, side_name(!self.side));
        let passed = self.board.fen().parse::<Fen>().ok().and_then(|fen| {
            let fen = Fen { side: !fen.side, ..fen };
            Board::from_fen(self.board.variant(), &fen.to_string()).ok()
        });
        let was_there = passed.is_some_and(|board| board.effects(answer).is_ok());
        let (by, words) = if was_there {
            (By::Threat, format!("It leaves {other} the threat {answer}, which"))
        } else {
            (By::Answer, format!("It allows {other} to answer {answer}, which"))
        };
        Some(Cause { by, turn: Some(answer), words })
    }

    fn best_turn(&self) -> Cause<'_> {
        let Branch { turn, .. } = self.best;
        Cause { by: By::Best, turn: Some(turn), words: format!("The best turn, {turn},") }
    }

    /// The gain from `start` to `there`, if it is at least 2 more than the one to `here`.
    fn gains(of: impl Fn(&Counts) -> u32, start: &Counts, there: &Counts, here: &Counts) -> Option<u32> {
        let gain = of(there).saturating_sub(of(start));
        (gain >= of(here).saturating_sub(of(start)) + 2).then_some(gain)
    }

    /// What the answer allows the opponent, and what the best turn gives its player.
    fn near(&self) -> Vec<Seen<'_>> {
        let Self { side, best, played, .. } = self;
        let answer =
            self.answer().map(|cause| Seen { cause, by: !*side, there: &played.answered, here: &best.answered });
        let missed = Seen { cause: self.best_turn(), by: *side, there: &best.after, here: &played.after };
        answer.into_iter().chain([missed]).collect()
    }

    fn territories(&self, seen: &[Seen<'_>]) -> Vec<Reason> {
        let closed = |Seen { cause, by, there, here }: &Seen<'_>| {
            let (at, start) = (by.index(), &self.start);
            let gain = Self::gains(|counts| counts.turns[at], start, there, here)?;
            let new = there.territory[at] & !start.territory[at];
            let text =
                format!("closes off {} for {}, worth {}.", squares(new.count()), side_name(*by), turns(gain as usize));
            let numbers = vec![f64::from(new.count()), f64::from(gain)];
            Some(cause.reason(ReasonKind::Territory, &text, new.into_iter().collect(), numbers))
        };
        seen.iter().filter_map(closed).collect()
    }

    fn shut_in(&self, seen: &[Seen<'_>]) -> Vec<Reason> {
        let caught = |Seen { cause, by, there, here }: &Seen<'_>| {
            let of = !*by;
            let [start, there, here] = [&self.start, there, here].map(|counts| counts.shut_in[of.index()]);
            let squares: Vec<Square> = (there & !start & !here).into_iter().collect();
            let names = listed(&squares);
            let amazons = if squares.len() == 1 { "amazon" } else { "amazons" };
            let text = format!("shuts in {}'s {amazons} on {names}.", side_name(of));
            (!squares.is_empty() && there.count() > here.count())
                .then(|| cause.reason(ReasonKind::ShutIn, &text, squares, Vec::new()))
        };
        seen.iter().filter_map(caught).collect()
    }

    /// The board after a turn and so many of those that are expected then.
    fn after(&self, branch: &Branch<'_>, turns: usize) -> Option<Board> {
        let mut board = self.board.clone();
        for turn in branch.turns(turns) {
            board.play_turn(turn).ok()?;
        }
        Some(board)
    }

    /// How the game ends if it goes on as expected, where one line goes so far.
    fn outcome(&self) -> Option<Reason> {
        let [best, played] = [&self.best, &self.played].map(|branch| {
            let end = self.after(branch, branch.line.len())?.outcome()?;
            Some(end.half_points(self.side))
        });
        let (half_points, text) = match (best, played) {
            (Some(could), Some(has)) if could <= has => return None,
            (_, Some(0)) => (0, format!("As it should go on, {} wins.", side_name(!self.side))),
            (_, Some(1)) => (1, "As it should go on, the game is drawn.".to_owned()),
            (Some(2), None) => (2, format!("As it should go on after the best turn, {} wins.", side_name(self.side))),
            _ => return None,
        };
        Some(Reason::alone(ReasonKind::End, text, vec![f64::from(half_points) / 2.0]))
    }

    /// Where nothing is seen near the turn: how it goes on after it and after the best one, as far as it can be told.
    /// With the number of turns after which something was found.
    fn later(&self) -> (Option<usize>, Vec<Reason>) {
        let outcome = self.outcome();
        let compared = |turns| (turns, self.compared_after(turns));
        let found = (1..=self.longest().min(AHEAD)).rev().map(compared).find(|(_, found)| !found.is_empty());
        let (turns, found) = found.map_or((None, Vec::new()), |(turns, found)| (Some(turns), found));
        (turns, outcome.into_iter().chain(found).collect())
    }

    /// How many turns are expected after both.
    fn longest(&self) -> usize {
        self.best.line.len().min(self.played.line.len())
    }

    /// Where both lines are after so many of the turns expected, or as many as there are.
    fn ends(&self, turns: usize) -> Option<Ends> {
        let turns = turns.min(self.longest());
        let both = [&self.best, &self.played];
        let [Some(best), Some(played)] = both.map(|branch| self.after(branch, turns)) else { return None };
        let [best_line, played_line] = both.map(|branch| branch.turns(turns).cloned().collect());
        Some(Ends { best: best_line, played: played_line, lost: lost(self.side, [&best, &played]) })
    }

    /// What is worse for the player after so many of the turns that are expected; nothing where pieces are being taken.
    fn compared_after(&self, turns: usize) -> Vec<Reason> {
        let is_quiet = |board: &Board| board.game::<Damone>().is_none_or(|game| game.current().captures().is_empty());
        let [Some(best), Some(played)] =
            [&self.best, &self.played].map(|branch| self.after(branch, turns).filter(is_quiet))
        else {
            return Vec::new();
        };
        let boards = [best, played];
        let [best, played] = boards.each_ref().map(Counts::of);
        let line = |by, words: &str| Cause { by, turn: None, words: words.to_owned() };
        let far = [
            Seen { cause: line(By::Line, "The expected play"), by: !self.side, there: &played, here: &best },
            Seen {
                cause: line(By::BestLine, "The expected play after the best turn"),
                by: self.side,
                there: &best,
                here: &played,
            },
        ];
        let mut reasons = self.territories(&far);
        reasons.extend(self.shut_in(&far));
        let both = best.holdings.iter().zip(&played.holdings).filter(|(best, played)| best.kind == played.kind);
        reasons.extend(both.filter_map(|(best, played)| self.held(best, played)));
        reasons
    }

    /// What both sides have where the lines end.
    fn held(&self, best: &Holding, played: &Holding) -> Option<Reason> {
        let (own, foe) = (self.side.index(), (!self.side).index());
        let ahead = |[a, b]: [u32; 2]| (a as i32 - b as i32) * best.notable.signum();
        let [has, could] = [played, best].map(|held| [held.sides[own], held.sides[foe]]);
        if ahead(could) - ahead(has) < best.notable.abs() {
            return None;
        }
        let (side, other, [a, b], [c, d]) = (side_name(self.side), side_name(!self.side), has, could);
        let what = match best.kind {
            ReasonKind::Reach => format!("comes first to {}", squares(a)),
            ReasonKind::Mobility => format!("has {}", several(a, "move", "moves")),
            ReasonKind::Promotion => format!("has {}", several(a, "dama or damone", "dame and damoni")),
            ReasonKind::Damoni => format!("has {}", several(a, "damone", "damoni")),
            ReasonKind::Advance => format!("needs {} to promote a pedina", several(a, "step", "steps")),
            _ => format!("has {}", several(a, "piece", "pieces")),
        };
        let text =
            format!("As it should go on, {side} {what}, {other} {b}; after the best turn it would be {c} and {d}.");
        Some(Reason::alone(best.kind, text, [a, b, c, d].map(f64::from).to_vec()))
    }

    fn flips(&self) -> Vec<Reason> {
        let Self { side, best, played, .. } = self;
        /// Stones of `of` that were the other's in the earlier position.
        fn turned(of: Side, later: &Counts, earlier: &Counts) -> Bitboard {
            later.stones[of.index()] & earlier.stones[(!of).index()]
        }
        let words = |by: Side, all: Bitboard, later: &Counts, least: u32, cause: Cause<'_>| {
            let good = all & later.unflippable[by.index()];
            let for_good = match (good.count(), all.count()) {
                (0, _) => String::new(),
                (some, whole) if some == whole => ", for good".to_owned(),
                (some, _) => format!(", {some} of them for good"),
            };
            let text = format!("flips {}{for_good}.", several(all.count(), "stone", "stones"));
            let numbers = vec![f64::from(all.count()), f64::from(good.count())];
            (all.count() >= least + 2 || good.count() > least)
                .then(|| cause.reason(ReasonKind::Flips, &text, all.into_iter().collect(), numbers))
        };
        let (own, other) = (*side, !*side);
        let missed = words(
            own,
            turned(own, &best.after, &self.start),
            &best.after,
            turned(own, &played.after, &self.start).count(),
            self.best_turn(),
        );
        let allowed = self.answer().and_then(|answer| {
            let least = turned(other, &best.answered, &best.after).count();
            words(other, turned(other, &played.answered, &played.after), &played.answered, least, answer)
        });
        allowed.into_iter().chain(missed).collect()
    }

    fn captures(&self) -> Vec<Reason> {
        let Self { side, best, played, .. } = self;
        let (lost, could) = (played.gain(), best.gain());
        if lost >= could {
            return Vec::new();
        }
        let pieces = |number: i32| several(number.unsigned_abs(), "piece", "pieces");
        let [given, taken] = played.exchange.each_ref().map(Vec::len);
        match &played.taking {
            Some(taking) if lost < 0 => {
                let words = format!("It allows {} to take", side_name(!*side));
                let cause = Cause { by: By::Answer, turn: Some(taking), words };
                let back = if given == 0 { String::new() } else { format!(" for {given}") };
                let text = format!("{} with {taking}{back}.", pieces(taken as i32));
                let numbers = vec![taken as f64, given as f64];
                vec![cause.reason(ReasonKind::Captures, &text, played.exchange[1].clone(), numbers)]
            }
            _ if could > 0 => {
                let text = format!("wins {}.", pieces(could));
                let (squares, numbers) = (best.exchange[0].clone(), vec![f64::from(could)]);
                vec![self.best_turn().reason(ReasonKind::Captures, &text, squares, numbers)]
            }
            _ => Vec::new(),
        }
    }

    /// By how many turns the player's lead is smaller, where both are exact.
    fn turns_lost(&self) -> Option<f64> {
        let (could, has) = (self.best.lead_of(self.side)?, self.played.lead_of(self.side)?);
        // The answers have been played in both, so that the same side is to move, unless the game ended.
        (self.best.answer.is_some() == self.played.answer.is_some()).then_some(could - has)
    }

    fn count(&self, lost: Option<f64>) -> Option<Reason> {
        let lost = lost.filter(|&lost| lost >= NOTABLE)?;
        let has = self.played.lead_of(self.side)?;
        let leader = if has >= 0.0 { self.side } else { !self.side };
        let (turns, ahead) = (lead_words(lost), lead_words(has.abs()));
        let text = format!("By count it loses {turns}: {} is ahead by {ahead}.", side_name(leader));
        Some(Reason::alone(ReasonKind::Count, text, [lost, has].map(kept).to_vec()))
    }

    /// Where nothing better is known: stones at the end of games as the policy plays them.
    fn stones_at_end(&self) -> Option<Reason> {
        let [could, has] = [&self.best, &self.played]
            .map(|Branch { turn, answer, .. }| stones_at_end(self.board, [Some(turn), *answer], self.side));
        let lost = could? - has?;
        let text = format!("It costs about {} stones at the end.", lost.round());
        (lost >= NOTABLE_STONES).then(|| Reason::alone(ReasonKind::Count, text, vec![kept(lost)]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hippolyta::games::Piece;
    use hippolyta::games::variant::{VARIANTS, find};
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;
    use std::collections::BTreeMap;
    use std::collections::btree_map::Entry;

    fn known(line: &[&Turn]) -> Known {
        Known { white: 0.5, proven: None, line: line.iter().map(|turn| (*turn).clone()).collect() }
    }

    fn proven(outcome: Option<Outcome>) -> Known {
        Known { white: 0.5, proven: outcome, line: Vec::new() }
    }

    /// Whether an amazon of `side` gets to one of the squares once all amazons out of its way have gone.
    fn reaches(board: &Board, side: Side, wanted: &[Square]) -> bool {
        let pieces = board.pieces();
        let is_empty = |square: Square| {
            matches!(board.at(square), None | Some(Piece::Amazon(_)))
                && square.file() < pieces.files()
                && square.rank() < pieces.ranks()
        };
        let mut open: Vec<Square> =
            pieces.iter().filter(|&(_, piece)| piece == Piece::Amazon(side)).map(|(at, _)| at).collect();
        let mut seen = open.clone();
        while let Some(square) = open.pop() {
            for (file, rank) in (0..9).map(|at| (square.file() + at % 3, square.rank() + at / 3)) {
                let next = file.checked_sub(1).zip(rank.checked_sub(1)).and_then(|(file, rank)| Square::at(file, rank));
                if let Some(next) = next.filter(|&next| is_empty(next) && !seen.contains(&next)) {
                    seen.push(next);
                    open.push(next);
                }
            }
        }
        seen.iter().any(|square| wanted.contains(square))
    }

    /// The squares that a side's amazons come to in each number of moves, or in steps of a king if `far` is 1, by a look
    /// at every square.
    fn distances(board: &Board, from: &[Square], far: usize) -> BTreeMap<Square, usize> {
        let pieces = board.pieces();
        let mut found = BTreeMap::new();
        let mut last = from.to_vec();
        for distance in 1.. {
            let mut next = Vec::new();
            for &square in &last {
                for (file, rank) in (0..9).filter(|&at| at != 4).map(|at| (at % 3 - 1, at / 3 - 1)) {
                    for step in 1..=far as i32 {
                        let to = [(square.file(), file), (square.rank(), rank)].map(|(at, by)| at as i32 + by * step);
                        let place = to.map(|at| usize::try_from(at).unwrap_or(99));
                        let Some(to) = Square::at(place[0], place[1]).filter(|&to| pieces.contains(to)) else { break };
                        if pieces.at(to).is_some() {
                            break;
                        }
                        if let Entry::Vacant(entry) = found.entry(to) {
                            entry.insert(distance);
                            next.push(to);
                        }
                    }
                }
            }
            if next.is_empty() {
                return found;
            }
            last = next;
        }
        found
    }

    fn amazons(board: &Board, side: Side) -> Vec<Square> {
        board.pieces().iter().filter(|&(_, piece)| piece == Piece::Amazon(side)).map(|(at, _)| at).collect()
    }

    /// What each side has, counted square by square.
    fn held_by(board: &Board, kind: ReasonKind, side: Side) -> f64 {
        let ranks = |side| [Piece::Pedina(side), Piece::Dama(side), Piece::Damone(side)];
        let count = |pieces: &[Piece]| pieces.iter().map(|&piece| board.pieces().count(piece)).sum::<usize>();
        let [own, foe] = [side, !side].map(|side| amazons(board, side));
        let found = match kind {
            ReasonKind::Reach => {
                let [own, foe] = [own, foe].map(|from| distances(board, &from, 11));
                own.iter().filter(|(square, far)| foe.get(square).is_none_or(|theirs| *far < theirs)).count()
            }
            ReasonKind::Mobility if own.is_empty() => {
                let step = |(at, piece): (Square, Piece)| {
                    let ways = [(-1, 1), (1, 1), (-1, -1), (1, -1)].into_iter().filter(|&way| {
                        let barred = if side == Side::White { (1, -1) } else { (-1, 1) };
                        piece != Piece::Pedina(side) || way != barred
                    });
                    let to = ways.filter_map(|(file, rank)| {
                        Square::at(at.file().checked_add_signed(file)?, at.rank().checked_add_signed(rank)?)
                    });
                    to.filter(|&to| board.pieces().contains(to) && board.at(to).is_none()).count()
                };
                board.pieces().iter().filter(|(_, piece)| ranks(side).contains(piece)).map(step).sum()
            }
            ReasonKind::Mobility => {
                let moves = |&at: &Square| distances(board, &[at], 11).values().filter(|&&far| far == 1).count();
                own.iter().map(moves).sum()
            }
            ReasonKind::Promotion => count(&ranks(side)[1..]),
            ReasonKind::Damoni => count(&ranks(side)[2..]),
            ReasonKind::Advance => {
                let pieces = board.pieces();
                let pedine = pieces.iter().filter(|&(_, piece)| piece == Piece::Pedina(side));
                let goals = if side == Side::White { ["a6", "c8"] } else { ["f1", "h3"] };
                let steps = |(at, _): (Square, Piece)| {
                    let to = goals.map(|goal| goal.parse::<Square>().unwrap());
                    to.map(|to| at.file().abs_diff(to.file()).max(at.rank().abs_diff(to.rank()))).into_iter().min()
                };
                pedine.filter_map(steps).min().unwrap()
            }
            _ => count(&ranks(side)),
        };
        found as f64
    }

    /// Random turns in positions of random games, answered at random: each sentence is tried against the board.
    #[test]
    fn reasons_say_what_the_board_shows() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(21);
        let mut pick = |board: &Board| {
            let turns = board.legal_turns();
            turns.get(random.random_range(0..turns.len().max(1)))
        };
        let (mut told, mut lost_squares) = (BTreeMap::<&str, u32>::new(), 0);
        let (own, mut own_territories) = ("own = { like = 'amazons6', fire-at = 'left' }", 0);
        for (name, games) in [("amazons6", 40), (own, 10), ("iago", 1), ("desdemona", 1), ("damone", 30)] {
            for _ in 0..games {
                let mut board = Board::new(&find(name).unwrap());
                while board.outcome().is_none() && board.turns().len() < 120 {
                    let [best, played] = [(); 2].map(|()| pick(&board).unwrap());
                    let [after_best, after] = [&best, &played].map(|turn| {
                        let (mut boards, mut line) = (vec![board.clone()], vec![turn.clone()]);
                        while boards.len() <= line.len() {
                            let mut after = boards[boards.len() - 1].clone();
                            after.play_turn(&line[boards.len() - 1]).unwrap();
                            if line.len() < 4 {
                                line.extend(pick(&after));
                            }
                            boards.push(after);
                        }
                        (boards.split_off(1), line.split_off(1))
                    });
                    let lines = [&after_best, &after].map(|(_, line)| known(&line.iter().collect::<Vec<_>>()));
                    let branch = |turn, line| Branch::new(&board, turn, line).unwrap();
                    let compared = Compared {
                        side: board.side_to_move(),
                        start: Counts::of(&board),
                        board: &board,
                        best: branch(&best, &lines[0]),
                        played: branch(&played, &lines[1]),
                    };
                    let (turns, reasons) = compared.reasons(Vec::new(), compared.turns_lost());
                    for reason in &reasons {
                        *told.entry(reason.kind.name()).or_default() += 1;
                        own_territories += u32::from(name == own && reason.kind == ReasonKind::Territory);
                        check(&board, [(&best, &after_best), (&played, &after)], reason);
                    }
                    // To know who owns what takes most of the time, with stones above all.
                    if board.turns().len().is_multiple_of(if name == "amazons6" { 3 } else { 13 }) {
                        let ends = compared.ends(turns).unwrap();
                        assert_eq!((&ends.best[0], &ends.played[0]), (&best, &played));
                        lost_squares += check_ends(&board, &ends);
                    }
                    board.play_turn(&played).unwrap();
                }
            }
        }
        assert!(lost_squares > 100 && own_territories > 4, "{lost_squares}, {own_territories}");
        for kind in [
            "territory",
            "shut in",
            "flips",
            "captures",
            "count",
            "reach",
            "mobility",
            "pieces",
            "promotion",
            "damoni",
            "advance",
            "end",
        ] {
            assert!(told.get(kind).is_some_and(|&times| times > 4), "{told:?}");
        }
    }

    /// What is lost is empty at both ends, and owned by the player where the best turn leads and much less where the
    /// other one does, as an analysis of these positions says. Returns how many squares are lost.
    fn check_ends(board: &Board, Ends { best, played, lost }: &Ends) -> usize {
        let side = board.side_to_move();
        assert_eq!(best.len(), played.len());
        let owned = [best, played].map(|line| {
            let mut end = board.clone();
            line.iter().for_each(|turn| end.play_turn(turn).unwrap());
            let include = Include { ownership: true, ..Include::default() };
            // Of a game that is over nothing is told.
            let owned = owned_now(&end, include).ownership.filter(|_| end.outcome().is_none()).unwrap_or_default();
            let sign = if end.side_to_move() == side { 1.0 } else { -1.0 };
            let share = |((square, piece), owner): ((Square, Option<Piece>), &Option<f64>)| {
                (square, piece.is_none(), sign * owner.unwrap_or(0.0))
            };
            end.pieces().squares().zip(&owned).map(share).collect::<Vec<_>>()
        });
        let both = owned[0].iter().zip(&owned[1]);
        let expected: Vec<_> = both.filter(|(a, b)| a.1 && b.1 && a.2 - b.2 >= 0.5).map(|(a, _)| a.0).collect();
        assert_eq!(lost.iter().map(|lost| lost.square).collect::<Vec<_>>(), expected, "{}", board.fen());
        lost.len()
    }

    /// A turn with the boards after it and after each of the turns expected then, which come with them.
    type Went<'a> = (&'a Turn, &'a (Vec<Board>, Vec<Turn>));

    fn check(board: &Board, [best, played]: [Went<'_>; 2], reason: &Reason) {
        let Reason { kind, text, squares, by, turn, numbers } = reason;
        let side = board.side_to_move();
        let at = format!("{} {best:?} {played:?}: {text} {squares:?}", board.fen());
        let answer = played.1.1.first().filter(|answer| *by != Some(By::Best) && turn.as_ref() == Some(*answer));
        let who = if answer.is_some() || *by == Some(By::Line) { !side } else { side };
        // Of what comes later a sentence does not say when.
        let there = match by {
            Some(By::Line) => &played.1.0[1..],
            Some(By::BestLine) => &best.1.0[1..],
            _ if answer.is_some() => &played.1.0[1..2],
            _ => &best.1.0[..1],
        };
        let is_somewhere = |holds: &dyn Fn(&Board) -> bool| assert!(there.iter().any(holds), "{at}");
        match kind {
            ReasonKind::Territory => {
                is_somewhere(&|there| {
                    !reaches(there, !who, squares) && squares.iter().all(|&it| there.at(it).is_none())
                });
                assert!(reaches(board, !who, squares) || squares.iter().any(|&it| board.at(it).is_some()), "{at}");
            }
            ReasonKind::ShutIn => is_somewhere(&|there| {
                squares.iter().all(|&it| {
                    there.at(it) == Some(Piece::Amazon(!who)) && distances(there, &[it], 1).len() <= SHUT_IN as usize
                })
            }),
            ReasonKind::Flips => {
                is_somewhere(&|there| squares.iter().all(|&it| there.at(it) == Some(Piece::Stone(who))));
                let before = answer.map_or(board, |_| &played.1.0[0]);
                assert!(squares.iter().all(|&it| before.at(it) == Some(Piece::Stone(!who))), "{at}");
            }
            ReasonKind::Captures => {
                let owner = if text.starts_with("It allows") { side } else { !side };
                assert!(
                    squares.iter().all(|&it| board.at(it).and_then(Piece::side) == Some(owner) || turn.is_some()),
                    "{at}"
                );
                assert!(!squares.is_empty(), "{at}");
            }
            ReasonKind::Reach
            | ReasonKind::Mobility
            | ReasonKind::Pieces
            | ReasonKind::Promotion
            | ReasonKind::Damoni
            | ReasonKind::Advance => {
                let both = played.1.0.iter().zip(&best.1.0).skip(1);
                let counted = |(played, best): (&Board, &Board)| {
                    [(played, side), (played, !side), (best, side), (best, !side)]
                        .map(|(board, side)| held_by(board, *kind, side))
                };
                assert!(both.map(counted).any(|found| found[..] == numbers[..]), "{at} {numbers:?}");
                // Of steps it is better to have few.
                let more = if *kind == ReasonKind::Advance { -1.0 } else { 1.0 };
                assert!(more * (numbers[2] - numbers[3]) > more * (numbers[0] - numbers[1]), "{at}");
            }
            ReasonKind::End => {
                let end =
                    |(_, (boards, _)): Went<'_>| Some(f64::from(boards.last()?.outcome()?.half_points(side)) / 2.0);
                let (could, has) = (end(best), end(played));
                assert!(
                    has.or(could) == Some(numbers[0]) && has.is_none_or(|has| could.is_none_or(|it| it > has)),
                    "{at}"
                );
            }
            _ => {}
        }
    }

    #[test]
    fn stones_that_are_said_never_to_flip_never_do() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(22);
        let mut count = 0;
        for variant in VARIANTS.iter().filter(|variant| variant.traits().stones) {
            for _ in 0..6 {
                let mut board = Board::new(variant);
                let mut fixed = [Bitboard::EMPTY; 2];
                while board.outcome().is_none() {
                    let counts = Counts::of(&board);
                    for (set, stones) in fixed.iter_mut().zip(counts.stones) {
                        assert!((*set & !stones).is_empty(), "{} {:?}", board.fen(), *set & !stones);
                    }
                    fixed = [fixed[0] | counts.unflippable[0], fixed[1] | counts.unflippable[1]];
                    let turns = board.legal_turns();
                    board.play_turn(&turns.get(random.random_range(0..turns.len())).unwrap()).unwrap();
                }
                count += fixed[0].count() + fixed[1].count();
            }
        }
        assert!(count > 20, "{count}");
    }

    #[test]
    fn squares_are_listed_as_people_list_them() {
        let squares = ["b2", "d2", "f2"].map(|name| name.parse::<Square>().unwrap());
        assert_eq!([1, 2, 3].map(|count| listed(&squares[..count])), ["b2", "b2 and d2", "b2, d2 and f2"]);
    }

    #[test]
    fn proofs_say_what_was_thrown_away() {
        let win = Some(Outcome::Win(Side::White));
        let loss = Some(Outcome::Win(Side::Black));
        let text = |before, best, after| {
            let reasons = results(Side::White, &proven(before), &proven(best), &proven(after));
            reasons.into_iter().map(|reason| reason.text).collect::<String>()
        };
        assert_eq!(text(win, win, None), "White had a proven win; now it is open.");
        assert_eq!(text(win, win, Some(Outcome::Draw)), "White had a proven win; now the game is a draw.");
        assert_eq!(text(Some(Outcome::Draw), None, loss), "White had a proven draw; now Black wins by force.");
        assert_eq!(text(None, win, loss), "The best turn wins by force: it is proven; now Black wins by force.");
        assert_eq!(text(None, None, loss), "Black wins by force after it: it is proven.");
        for (before, best, after) in [(win, win, win), (None, loss, loss), (loss, loss, loss), (None, None, None)] {
            assert_eq!(text(before, best, after), "");
        }
    }
}
