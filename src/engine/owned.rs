//! Who owns which squares, and what is counted: what each family knows of a position beside the search.

use super::outlook::{Outlook, play_out};
use crate::board::flood::{Kernel, Portable};
use crate::board::{Bitboard, Geometry, Square};
use crate::endgame::Work;
use crate::endgame::amazons::{Effort, Owner, RegionCount, Turns, best_margin, by_regions, count_within, margin};
use crate::endgame::closed;
use crate::eval::amazons::AmazonsEvaluator;
use crate::eval::damone::DamoneEvaluator;
use crate::eval::desdemona::{DesdemonaEvaluator, GROUPS, group};
use crate::eval::general::GeneralEvaluator;
use crate::eval::network::PHASES;
use crate::eval::shapes::square_index;
use crate::eval::{Evaluated, Evaluator, Weights};
use crate::games::amazons::Amazons;
use crate::games::damone::Damone;
use crate::games::desdemona::Desdemona;
use crate::games::general::General;
use crate::games::{Board, Game, Outcome, Position, Side, with_family};
use serde::Serialize;

/// Fields that an analysis is to have beside those of the search. A field that the rule set does not know is left out.
///
/// ```
/// use hippolyta::engine::Include;
///
/// let include = Include { territory: true, ..Include::default() };
/// assert!(include.fields().contains(&("includeTerritory", true)));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Include {
    /// Who owns each square: the Amazons, Desdemona and its relatives.
    pub ownership: bool,
    /// The regions of the board, where territories are counted.
    pub territory: bool,
    /// The stones of Desdemona and its relatives.
    pub stones: bool,
}

impl Include {
    /// Its fields by their names in JSON, with their values.
    #[must_use]
    pub fn fields(&self) -> [(&'static str, bool); 3] {
        let Self { ownership, territory, stones } = *self;
        [("includeOwnership", ownership), ("includeTerritory", territory), ("includeStones", stones)]
    }
}

/// The fields that [`Include`] asked for. In JSON, the others are left out.
///
/// ```
/// use hippolyta::engine::{Board, Control, Engine, Include, Limits, Model, Settings};
/// use hippolyta::games::variant;
///
/// let variant = &variant::find("amazons")?;
/// let board = Board::from_fen(variant, "Q1*1q/2*2/2*2 w")?;
/// let mut engine = Engine::new(variant, &Model::default(), Settings { hash: 1, ..Settings::default() })?;
/// let include = Include { ownership: true, ..Include::default() };
/// let limits = Limits { nodes: Some(10), include, ..Limits::default() };
/// let analysis = engine.analyse(&board, &limits, &Control::default(), &mut |_| ())?;
/// // Ranks from the top, files from the left. Each side is alone in its half, and nobody can own the walls.
/// let ownership = analysis.owned.ownership.unwrap_or_default();
/// assert_eq!(ownership[5..10], [Some(1.0), Some(1.0), None, Some(-1.0), Some(-1.0)]);
/// // Both can fill five squares, and White must begin.
/// assert_eq!(analysis.owned.lead, Some(-0.5));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Owned {
    /// For each square, ranks from the top and files from the left, who owns it in the end: 1 if the side to move
    /// certainly does, −1 if the opponent does; what is not certain is 0.99 at most. In the Amazons the probability
    /// of the one minus that of the other, to two decimals; a square is owned by the side that alone can still get
    /// there before it is filled. In Desdemona and its relatives, the mean over many games. `None` where nobody can
    /// ever own it, and in the Amazons where an arrow or an amazon stands.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(length(max = 121), inner(range(min = -1, max = 1))))]
    pub ownership: Option<Vec<Option<f64>>>,
    /// In the Amazons, with the ownership: the number of turns by which the side to move will be ahead at the end,
    /// negative if it will be behind. Exact once the regions tell it; before that expected, from what the search saw,
    /// and none where nothing was searched. It never names the other side than a clear score.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lead: Option<f64>,
    /// The regions of the board, where territories are counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub territory: Option<Territory>,
    /// The stones now and at the end of the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stones: Option<Stones>,
}

/// A value for each side.
///
/// ```
/// use hippolyta::engine::{Board, Both, Control, Engine, Include, Limits, Model, Settings};
/// use hippolyta::games::variant;
///
/// let variant = &variant::find("amazons")?;
/// let board = Board::from_fen(variant, "Q1*1q/2*2/2*2 w")?;
/// let mut engine = Engine::new(variant, &Model::default(), Settings { hash: 1, ..Settings::default() })?;
/// let include = Include { territory: true, ..Include::default() };
/// let limits = Limits { nodes: Some(10), include, ..Limits::default() };
/// let analysis = engine.analyse(&board, &limits, &Control::default(), &mut |_| ())?;
/// let territory = analysis.owned.territory.ok_or("not asked for")?;
/// assert_eq!(territory.turns_left, Both { white: [5, 5], black: [5, 5] });
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub struct Both<T> {
    /// White's.
    pub white: T,
    /// Black's.
    pub black: T,
}

/// The regions of a board, and what they are worth.
///
/// ```
/// use hippolyta::engine::{Board, Control, Engine, Include, Limits, Model, Settings};
/// use hippolyta::games::{Side, variant};
///
/// let variant = &variant::find("amazons")?;
/// let board = Board::from_fen(variant, "Q1*1q/2*2/2*2 w")?;
/// let mut engine = Engine::new(variant, &Model::default(), Settings { hash: 1, ..Settings::default() })?;
/// let include = Include { territory: true, ..Include::default() };
/// let limits = Limits { nodes: Some(10), include, ..Limits::default() };
/// let analysis = engine.analyse(&board, &limits, &Control::default(), &mut |_| ())?;
/// // Both sides can fill five squares. White must begin, which costs half a turn.
/// let territory = analysis.owned.territory.ok_or("not asked for")?;
/// assert_eq!((territory.regions.len(), territory.margin, territory.winner), (2, Some(-0.5), Some(Side::Black)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Territory {
    /// The parts of the board that are cut off from each other.
    pub regions: Vec<RegionInfo>,
    /// The number of turns that each side has left in its own territories: at least, at most.
    pub turns_left: Both<[u32; 2]>,
    /// The number of turns by which the side to move is ahead, negative if it is behind; `None` if it is not known.
    pub margin: Option<f64>,
    /// The winner, if it is proven.
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>", extend("enum" = ["white", "black", null])))]
    pub winner: Option<Side>,
}

/// One region of a board of the Amazons.
///
/// ```
/// use hippolyta::engine::{Board, Control, Engine, Include, Limits, Model, Owner, Settings};
/// use hippolyta::games::{Side, variant};
///
/// let variant = &variant::find("amazons")?;
/// let board = Board::from_fen(variant, "Q1*1q/2*2/2*2 w")?;
/// let mut engine = Engine::new(variant, &Model::default(), Settings { hash: 1, ..Settings::default() })?;
/// let include = Include { territory: true, ..Include::default() };
/// let limits = Limits { nodes: Some(10), include, ..Limits::default() };
/// let analysis = engine.analyse(&board, &limits, &Control::default(), &mut |_| ())?;
/// let territory = analysis.owned.territory.ok_or("not asked for")?;
/// let white = territory.regions.iter().find(|region| region.owner == Owner::Territory(Side::White)).ok_or("no region")?;
/// assert_eq!((white.squares.len(), white.empty, white.turns.white), (6, 5, [5, 5]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct RegionInfo {
    /// Whose amazons alone stand in it, if it is not contested.
    #[cfg_attr(feature = "schema", schemars(with = "String", extend("enum" = ["white", "black", "contested"])))]
    pub owner: Owner,
    /// Its squares, those of amazons included.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<String>", length(min = 2)))]
    pub squares: Vec<Square>,
    /// The number of its empty squares.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub empty: u32,
    /// The number of turns that each side can make in it: at least, at most.
    pub turns: Both<[u32; 2]>,
    /// White's turns minus Black's with best play: at least, at most.
    pub worth: [i32; 2],
}

/// The stones on the board, and at the end of the game.
///
/// ```
/// use hippolyta::engine::{Board, Control, Engine, Include, Limits, Model, Settings};
/// use hippolyta::games::variant;
///
/// let variant = &variant::find("iago")?;
/// let board = Board::from_fen(variant, "q2/sS1/2Q w")?;
/// let mut engine = Engine::new(variant, &Model::default(), Settings { hash: 1, ..Settings::default() })?;
/// let include = Include { stones: true, ..Include::default() };
/// let limits = Limits { nodes: Some(10), include, ..Limits::default() };
/// let analysis = engine.analyse(&board, &limits, &Control::default(), &mut |_| ())?;
/// let stones = analysis.owned.stones.ok_or("not asked for")?;
/// assert_eq!((stones.now.white, stones.now.black), (1, 1));
/// assert!(stones.at_end.white + stones.at_end.black > 2.0); // a mean: every turn adds one
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Stones {
    /// The stones now.
    pub now: Counts<u32>,
    /// The number of stones that is expected at the end.
    #[serde(rename = "final")]
    pub at_end: Counts<f64>,
    /// By how many stones the side to move is expected to be ahead at the end: what a search says of the winner, and
    /// later of the stones. It never names the other side than a clear score.
    pub expected_margin: f64,
}

/// The numbers of stones.
///
/// ```
/// use hippolyta::engine::{Board, Control, Counts, Engine, Include, Limits, Model, Settings};
/// use hippolyta::games::variant;
///
/// let variant = &variant::find("iago")?;
/// let board = Board::from_fen(variant, "q2/sS1/2Q w")?;
/// let mut engine = Engine::new(variant, &Model::default(), Settings { hash: 1, ..Settings::default() })?;
/// let include = Include { stones: true, ..Include::default() };
/// let limits = Limits { nodes: Some(10), include, ..Limits::default() };
/// let analysis = engine.analyse(&board, &limits, &Control::default(), &mut |_| ())?;
/// let stones = analysis.owned.stones.ok_or("not asked for")?;
/// assert_eq!(stones.now, Counts { white: 1, black: 1, neutral: 0 });
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub struct Counts<T> {
    /// White's.
    pub white: T,
    /// Black's.
    pub black: T,
    /// Nobody's.
    pub neutral: T,
}

/// Six decimals: more are noise.
pub fn rounded(number: f32) -> f64 {
    (f64::from(number) * 1e6).round() / 1e6
}

/// What a search says to the expectations of a family.
pub(super) struct Searched<'a, P> {
    /// The fields that are asked for.
    pub include: Include,
    /// The expected score of the side to move.
    pub score: Option<f32>,
    /// Positions in which ways down the tree end; empty without a search.
    pub ends: &'a [P],
    /// For games that are played on.
    pub seed: u64,
}

/// Ownership, as far as the family of an evaluator knows it.
pub(super) trait Ownership<P: Position>: Evaluator<P> {
    /// The fields of [`Include`] that ask for something here, by their names in JSON.
    fn included(&self) -> &'static [&'static str] {
        &[]
    }

    /// The fields that were asked for, as far as they are certain or follow from the board alone; less exact once `work`
    /// is over.
    fn certain(&self, _position: &P, _include: Include, _work: &Work<'_>) -> Owned {
        Owned::default()
    }

    /// Replaces what `certain` left open by what is expected. The same seed and work give the same result.
    fn expect(&self, _position: &P, _searched: &Searched<'_, P>, _work: &Work<'_>, _owned: &mut Owned) {}

    /// All fields that were asked for, without a search.
    fn owned(&self, position: &P, include: Include, seed: u64, work: &Work<'_>) -> Owned {
        let mut owned = self.certain(position, include, work);
        self.expect(position, &Searched { include, score: None, ends: &[], seed }, work, &mut owned);
        owned
    }

    /// Expectations beside the value, as lines of text from White's view, for explanations.
    #[cfg(feature = "inspect")]
    fn expected(&self, _position: &P) -> Vec<String> {
        Vec::new()
    }
}

impl Ownership<Damone> for DamoneEvaluator {}

impl Ownership<General> for GeneralEvaluator {
    fn included(&self) -> &'static [&'static str] {
        if self.closes_territories() { &["includeTerritory"] } else { &[] }
    }

    fn certain(&self, position: &General, include: Include, work: &Work<'_>) -> Owned {
        let regions = if include.territory { closed::count(position, work) } else { None };
        let told = |regions: Vec<RegionCount>| {
            let exact = margin(position, &regions).map(|margin| sign(position) * f64::from(margin) / 2.0);
            territory(position, &regions, exact)
        };
        Owned { territory: regions.map(told), ..Owned::default() }
    }
}

impl Ownership<Amazons> for AmazonsEvaluator {
    fn included(&self) -> &'static [&'static str] {
        &["includeOwnership", "includeTerritory"]
    }

    fn certain(&self, position: &Amazons, include: Include, work: &Work<'_>) -> Owned {
        if !include.ownership && !include.territory {
            return Owned::default();
        }
        let regions = count_within(position, &Effort::ROOT, work);
        let exact = exact_margin(position, &regions, work);
        Owned {
            ownership: include.ownership.then(|| at_end(self, position, &regions)),
            lead: exact.filter(|_| include.ownership),
            territory: include.territory.then(|| territory(position, &regions, exact)),
            stones: None,
        }
    }

    fn expect(&self, position: &Amazons, searched: &Searched<'_, Amazons>, _: &Work<'_>, owned: &mut Owned) {
        if !searched.include.ownership {
            return;
        }
        let open = searched.ends.iter().filter(|end| end.outcome().is_none());
        let told: Vec<_> =
            open.filter_map(|end| Some((end, sign(position) * sign(end), self.forecast(end)?))).collect();
        if told.is_empty() {
            return;
        }
        if let (None, Some(score)) = (owned.lead, searched.score) {
            let seen = told.iter().map(|(_, own, forecast)| own * f64::from(forecast.lead)).sum::<f64>();
            let over = f64::from(phase(position));
            owned.lead = Some(Scale::of_turns(position).lead(score, seen / told.len() as f64, over));
        }
        // Where an arrow stands in the end nobody will own the square; where an amazon stands, it may go on.
        let geometry = position.geometry();
        let seen = |square: Square| {
            let index = square_index(geometry, square);
            let (mut sum, mut count) = (0.0, 0_u32);
            for (end, own, forecast) in &told {
                let place = forecast.squares.binary_search_by_key(&index, |&(square, _)| square);
                let [mine, theirs] = place.map_or([0.0; 2], |place| forecast.squares[place].1);
                sum += own * f64::from(mine - theirs);
                count += u32::from(!end.both_amazons().iter().any(|amazons| amazons.contains(square)));
            }
            (count > 0).then(|| uncertain(hundredths((sum / f64::from(count)) as f32)))
        };
        for (owner, seen) in owned.ownership.iter_mut().flatten().zip(board(geometry, seen)) {
            if let (Some(owner), Some(seen)) = (owner, seen)
                && owner.abs() < 1.0
            {
                *owner = seen;
            }
        }
    }

    #[cfg(feature = "inspect")]
    fn expected(&self, position: &Amazons) -> Vec<String> {
        let regions = count_within(position, &Effort::ROOT, &Work::unlimited());
        let (owners, white) = (at_end(self, position, &regions), sign(position));
        let mut lines = vec!["expected ownership in percent, white's above 0".to_owned()];
        lines.extend(owners.chunks(position.geometry().width()).map(|rank| {
            let percent = |owner: &Option<f64>| match owner {
                Some(owner) => format!("{:>5.0}", 100.0 * white * owner + 0.0),
                None => format!("{:>5}", "."),
            };
            rank.iter().map(percent).collect()
        }));
        lines
    }
}

impl Ownership<Desdemona> for DesdemonaEvaluator {
    fn included(&self) -> &'static [&'static str] {
        &["includeOwnership", "includeStones"]
    }

    fn expect(&self, position: &Desdemona, searched: &Searched<'_, Desdemona>, work: &Work<'_>, owned: &mut Owned) {
        let include = searched.include;
        if !include.ownership && !include.stones {
            return;
        }
        let from = if searched.ends.is_empty() { std::slice::from_ref(position) } else { searched.ends };
        let outlook = play_out(self, from, searched.seed, work);
        owned.ownership = include.ownership.then(|| ownership(position, &outlook));
        owned.stones = include.stones.then(|| stones(position, &outlook, searched.score));
    }
}

/// Ownership, territory and stones on a board without a search, by the weights that are built in. Takes milliseconds.
#[doc(hidden)]
pub fn owned_now(board: &Board, include: Include) -> Owned {
    let weights = Weights::embedded();
    with_family!(board.variant(), P => {
        let owned = |game: &Game<P>| {
            P::evaluator(board.variant(), &weights).owned(game.current(), include, 0, &Work::unlimited())
        };
        board.game::<P>().map(owned).unwrap_or_default()
    })
}

/// The board as in a FEN: ranks from the top, each from the left.
fn board<T>(geometry: &'static Geometry, of: impl Fn(Square) -> T) -> Vec<T> {
    let squares = (0..geometry.height()).rev().flat_map(|rank| (0..geometry.width()).map(move |file| (file, rank)));
    squares.filter_map(|(file, rank)| Square::at(file, rank)).map(of).collect()
}

/// The sign that turns White's view into that of the side to move.
fn sign(position: &impl Position) -> f64 {
    if position.side_to_move() == Side::White { 1.0 } else { -1.0 }
}

/// The margin for the side to move, where it is exactly known.
fn exact_margin(position: &Amazons, regions: &[RegionCount], work: &Work<'_>) -> Option<f64> {
    let [low, high] = best_margin(position, regions, work);
    (low == high).then(|| sign(position) * f64::from(low) / 2.0)
}

/// Who owns each empty square in the end, as far as this was learned; from the view of the side to move.
fn at_end(evaluator: &AmazonsEvaluator, position: &Amazons, regions: &[RegionCount]) -> Vec<Option<f64>> {
    let Some(forecast) = evaluator.forecast(position) else { return first_there(position) };
    let geometry = position.geometry();
    let own = sign(position);
    let region = |square| regions.iter().map(|count| &count.region).find(|region| region.squares.contains(square));
    let expected = |square| {
        let index = square_index(geometry, square);
        let place = forecast.squares.binary_search_by_key(&index, |&(square, _)| square).ok()?;
        let (_, [mine, theirs]) = forecast.squares[place];
        Some(uncertain(hundredths(mine - theirs)))
    };
    board(geometry, |square| {
        if !position.empty().contains(square) {
            return None;
        }
        match region(square)?.owner {
            Owner::Territory(Side::White) => Some(own),
            Owner::Territory(Side::Black) => Some(-own),
            Owner::Contested => expected(square),
        }
    })
}

/// How far the game has come, from 0 to 1.
pub(super) fn phase<P: Evaluated>(position: &P) -> f32 {
    position.fine_phase() as f32 / ((PHASES - 1) * 256) as f32
}

/// What a lead is made of.
#[derive(Clone, Copy)]
struct Scale {
    /// The lead for each unit of the logit of a score.
    of_logit: f64,
    /// Between these two shares of the game the forecast takes over.
    late: [f64; 2],
}

/// Of the Amazons in turns, by the squares of the board, and the phases between which the forecast takes over. Fitted
/// to games of 4,000 and 6,000 nodes a turn, of which the margin with best play is known.
const TURNS: [(f64, f64); 3] = [(36.0, 0.6), (64.0, 2.5), (100.0, 5.0)];
const TURNS_LATE: [f64; 2] = [0.1, 0.5];
/// Of the groups of Desdemona and its relatives in stones; the shares are of squares with a stone or an amazon. Fitted
/// to 14 to 36 games each, of 4,000 nodes a turn in Iago and 2,000 in the others.
const STONES: [Scale; GROUPS.len()] = [
    Scale { of_logit: 1.4, late: [0.08, 0.2] },
    Scale { of_logit: 0.45, late: [0.1, 0.4] },
    Scale { of_logit: 4.0, late: [0.6, 0.8] },
    Scale { of_logit: 0.6, late: [0.5, 0.9] },
    Scale { of_logit: 3.2, late: [0.35, 0.65] },
];
/// A lead does not name the other side where a score is as far from even as this.
const CLEAR: f64 = 0.1;

impl Scale {
    fn of_turns(position: &Amazons) -> Self {
        let squares = f64::from(position.geometry().squares().count());
        let place = TURNS.iter().filter(|known| known.0 <= squares).count().clamp(1, TURNS.len() - 1);
        let [(from, few), (to, many)] = [TURNS[place - 1], TURNS[place]];
        let of_logit = few + (many - few) * ((squares - from) / (to - from)).clamp(0.0, 1.0);
        Self { of_logit, late: TURNS_LATE }
    }

    /// The lead that is expected of a score, and of the mean of the leads that are forecast where the search ended: the
    /// score knows best who wins, and the forecast by how much, once as much of the game is over.
    fn lead(self, score: f32, forecast: f64, over: f64) -> f64 {
        let (score, [from, to]) = (f64::from(score), self.late);
        let sure = score.clamp(0.01, 0.99);
        let late = ((over - from) / (to - from)).clamp(0.0, 1.0);
        let logit = f64::from(libm::logf((sure / (1.0 - sure)) as f32));
        let lead = (1.0 - late) * self.of_logit * logit + late * forecast;
        let ahead = score - 0.5;
        let kept = if ahead.abs() < CLEAR {
            lead
        } else if ahead > 0.0 {
            lead.max(ahead)
        } else {
            lead.min(ahead)
        };
        hundredths(kept as f32)
    }
}

/// An estimate that rounding must not make certain: only what is certain is 1 or −1.
fn uncertain(owner: f64) -> f64 {
    owner.clamp(-MOST_UNCERTAIN, MOST_UNCERTAIN)
}

/// The next to 1 in two decimals.
const MOST_UNCERTAIN: f64 = 0.99;

/// Two decimals: more are not known.
fn hundredths(number: f32) -> f64 {
    // Plus 0 makes −0 plain 0.
    (f64::from(number) * 100.0).round() / 100.0 + 0.0
}

/// Who reaches each empty square in fewer queen moves: what is known of ownership before anything is learned.
fn first_there(position: &Amazons) -> Vec<Option<f64>> {
    let geometry = position.geometry();
    let levels = Portable.queen_levels(geometry, position.both_amazons(), position.empty());
    let own = sign(position);
    board(geometry, |square| {
        let far = |side| levels.distance(side, square).unwrap_or(usize::MAX);
        let (white, black) = (far(0), far(1));
        (white.min(black) < usize::MAX).then(|| match white.cmp(&black) {
            std::cmp::Ordering::Less => own * MOST_UNCERTAIN,
            std::cmp::Ordering::Equal => 0.0,
            std::cmp::Ordering::Greater => -own * MOST_UNCERTAIN,
        })
    })
}

fn range(turns: Turns) -> [u32; 2] {
    [turns.lower, turns.upper]
}

fn territory(position: &impl Position, regions: &[RegionCount], margin: Option<f64>) -> Territory {
    let sum = |side: Side| {
        let mut all = Turns::default();
        regions.iter().filter_map(|region| region.turns.get(side.index())).for_each(|&turns| all += turns);
        range(all)
    };
    let winner = by_regions(position, regions).and_then(|proof| match proof.outcome {
        Outcome::Win(side) => Some(side),
        Outcome::Draw => None,
    });
    Territory {
        turns_left: Both { white: sum(Side::White), black: sum(Side::Black) },
        margin,
        winner,
        regions: regions.iter().map(region_info).collect(),
    }
}

fn region_info(region: &RegionCount) -> RegionInfo {
    let [white, black] = region.turns;
    RegionInfo {
        owner: region.region.owner,
        squares: region.region.squares.into_iter().collect(),
        empty: region.empty.count(),
        turns: Both { white: range(white), black: range(black) },
        worth: [region.worth.low, region.worth.high],
    }
}

fn ownership(position: &Desdemona, outlook: &Outlook) -> Vec<Option<f64>> {
    let geometry = position.geometry();
    let own = sign(position);
    let amazons = position.amazons(Side::White) | position.amazons(Side::Black);
    board(geometry, |square| {
        let free = !amazons.contains(square) || outlook.is_ever_stone(square);
        let mean = || own * f64::from(outlook.white_less_black(square)) / f64::from(outlook.games);
        // Games that agree are no proof, unless the game is over. Plus 0 makes −0 plain 0.
        free.then(|| if position.outcome().is_some() { mean() } else { uncertain(mean()) } + 0.0)
    })
}

/// Without a search, a score of one half stands for it.
fn stones(position: &Desdemona, outlook: &Outlook, score: Option<f32>) -> Stones {
    let count = |set: Bitboard| set.count();
    let mean = |sum: u32| f64::from(sum) / f64::from(outlook.games);
    let [white, black, neutral] = outlook.stones.map(mean);
    let own = sign(position);
    let played = own * (white - black);
    let taken = position.geometry().squares().count() - position.empty().count();
    let over = f64::from(taken) / f64::from(position.geometry().squares().count());
    let lead = match position.outcome() {
        Some(_) => played,
        None => STONES[group(&position.rules())].lead(score.unwrap_or(0.5), played, over),
    };
    // Games that are played on know how many stones there will be, and the lead whose they are.
    let moved = own * (lead - played) / 2.0;
    let [white, black, neutral] = [white + moved, black - moved, neutral].map(|mean| rounded(mean.max(0.0) as f32));
    Stones {
        now: Counts {
            white: count(position.stones(Side::White)),
            black: count(position.stones(Side::Black)),
            neutral: count(position.neutral()),
        },
        at_end: Counts { white, black, neutral },
        expected_margin: lead + 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::Notation;
    use crate::games::variant::find;

    #[test]
    fn the_lead_never_names_the_other_side_than_a_clear_score() {
        let late = "3*1*2/1q*Q**1q/*2**q*Q/*****1*1/1*1Q**1*/1***1**1/*1Qq***1/2**2*1 b - - 0 16";
        for fen in [find("amazons8").unwrap().start(), late] {
            let position = Amazons::from_fen(&find("amazons").unwrap(), fen).unwrap();
            for (score, forecast) in [(0.61, -9.0), (0.95, -2.0), (1.0, -1.0), (0.39, 9.0), (0.0, 3.0)] {
                let lead = Scale::of_turns(&position).lead(score, forecast, phase(&position).into());
                assert!(lead * f64::from(score - 0.5) > 0.0, "{fen}: {score} {forecast} {lead}");
            }
            assert_eq!(Scale::of_turns(&position).lead(0.5, 0.0, phase(&position).into()), 0.0);
        }
    }

    #[test]
    fn a_better_score_is_a_greater_lead_and_late_the_forecast_counts() {
        let variant = find("amazons").unwrap();
        let lead = |fen: &str, score, forecast| {
            let position = Amazons::from_fen(&variant, fen).unwrap();
            Scale::of_turns(&position).lead(score, forecast, phase(&position).into())
        };
        let start = variant.start();
        assert!(lead(start, 0.7, 0.0) > lead(start, 0.6, 0.0) && lead(start, 0.7, 4.0) == lead(start, 0.7, 0.0));
        let late = "3*1*2/1q*Q**1q/*2**q*Q/*****1*1/1*1Q**1*/1***1**1/*1Qq***1/2**2*1 b";
        assert!(lead(late, 0.9, 6.0) > lead(late, 0.9, 3.0) + 1.0);
    }
}
