//! The evaluation of any game of move and fire, by features that mean something under all rules: distances in moves of
//! the game's own pieces, their moves, which stones can be flipped, the lead in stones. What these are worth is learned
//! for each set of rules; before that it is guessed, by who wins when a side is stuck.
//!
//! Nothing is claimed as proven but what the rules alone decide: what is certain under some rules is false under
//! others.

mod counts;
mod policy;

use super::group::Group;
use super::learned::{Draws, Explanation, Learned as LearnedTables, Sample};
#[doc(hidden)]
pub use super::lines::DRAW_CLASSES;
use super::lines::View;
use super::network::Network;
use super::{Evaluation, Evaluator, Term, Value, draw_turn, white};
use crate::board::flood::{Kernel, KernelTask, Portable, with_best_kernel};
use crate::endgame::amazons::{lines, margin};
use crate::endgame::{Oracle, Proof, Prove, Solve, Work, closed, dfpn};
use crate::games::general::General;
use crate::games::move_fire::{Rules, Stuck};
use crate::games::{MoveFireStep, Outcome, Position, Side, Steps};
use counts::{BOARD, DISTANCES, HITS, LEAD, PIECES, PREY, STONES, count, mover, view};
#[doc(hidden)]
pub use counts::{FEATURES, fine_phase};
#[doc(hidden)]
pub use policy::{STEP_FEATURES, step_features};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

/// The learned weights for a set of rules.
#[doc(hidden)]
pub type Learned = LearnedTables<FEATURES, DRAW_CLASSES, STEP_FEATURES>;

/// The prefix of the names of tables for rules of one's own.
const OWN: &str = "own@";

/// The name of the linear tables for these rules in weights files: what distinguishes them from the Amazons'. Boards of
/// all sizes share them.
///
/// ```
/// use hippolyta::board::Reach;
/// use hippolyta::eval::general::group;
/// use hippolyta::games::general::Rules;
///
/// assert_eq!(group(&Rules { moves: [Reach::KNIGHT; 2], ..Rules::AMAZONS }), "own@moves = 'N'");
/// ```
#[must_use]
pub fn group(rules: &Rules) -> String {
    format!("{OWN}{}", rules.text())
}

/// Whether tables of this name are for rules of one's own.
pub(super) fn is_group(name: &str) -> bool {
    name.starts_with(OWN)
}

/// The name of tables for people: that of a rule set, or how rules of one's own differ from the Amazons.
pub(super) fn shown(name: &str) -> String {
    match name.strip_prefix(OWN) {
        None => name.to_owned(),
        Some("") => "the rules of the Amazons".to_owned(),
        Some(rules) => format!("rules with {rules}"),
    }
}

/// Nothing, for tables to come.
pub(super) fn blank() -> Group<Learned> {
    Group::lazy("", |_| learned(0.0, 0.0))
}

/// The weights before any learning, guessed by the end of the game.
pub(super) fn begun(rules: &Rules) -> Group<Learned> {
    let guess: fn(&str) -> Learned = match rules.stuck {
        Stuck::Loses => |_| learned(1.0, 0.0),
        Stuck::Wins => |_| learned(-1.0, 0.0),
        Stuck::Draws => |_| learned(0.2, 0.0),
        // Who still has turns goes on, so these are neither good nor bad in themselves, unless they add stones.
        Stuck::MostStones(_) if rules.stuck_passes => |_| learned(0.8, 1.0),
        Stuck::FewestStones(_) if rules.stuck_passes => |_| learned(-0.8, -1.0),
        Stuck::MostStones(_) => |_| learned(0.2, 1.0),
        Stuck::FewestStones(_) => |_| learned(0.2, -1.0),
    };
    Group::lazy("", guess)
}

fn learned(turns: f32, stones: f32) -> Learned {
    Learned {
        value: Network::of_phase(&counts::guessed(turns, stones)),
        draws: Draws::even(0.1),
        steps: policy::guessed(turns, stones),
        shapes: Vec::new(),
        step_shapes: Vec::new(),
        owners: Vec::new(),
    }
}

/// Evaluates positions of a game by rules of one's own.
///
/// ```
/// use hippolyta::board::Reach;
/// use hippolyta::eval::{Evaluated, Evaluator, Weights};
/// use hippolyta::games::Notation;
/// use hippolyta::games::general::{General, RuleSet, Rules};
///
/// let rules = Rules { moves: [Reach::KNIGHT; 2], ..Rules::AMAZONS };
/// let (name, start) = ("knights".to_owned(), "1q2q1/q4q/6/6/Q4Q/1Q2Q1 w - - 0 1".to_owned());
/// let variant = &RuleSet { name, title: String::new(), description: String::new(), start, rules }.variant();
/// let evaluator = General::evaluator(variant, &Weights::embedded());
/// let value = evaluator.evaluate(&General::from_fen(variant, variant.start())?).value();
/// assert!(value.white > 0.3 && value.white < 0.7 && value.draw == 0.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct GeneralEvaluator {
    learned: Group<Learned>,
    is_learned: bool,
    /// Games that cannot be drawn have no draws, whatever was learned.
    drawn: bool,
    closes_territories: bool,
}

impl GeneralEvaluator {
    /// An evaluator for these rules, with what was learned for them.
    pub(super) fn of(rules: &Rules, learned: Option<&Group<Learned>>) -> Self {
        let is_learned = learned.is_some();
        let learned = learned.cloned().unwrap_or_else(|| begun(rules));
        Self { learned, is_learned, drawn: rules.can_be_drawn(), closes_territories: rules.closes_territories() }
    }

    /// Whether territories can be counted under these rules.
    pub(crate) fn closes_territories(&self) -> bool {
        self.closes_territories
    }
}

struct Evaluate<'a> {
    learned: &'a Learned,
    position: &'a General,
    drawn: bool,
}

impl KernelTask for Evaluate<'_> {
    type Output = Value;

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) -> Value {
        let Self { learned, position, drawn } = self;
        let (view, phase) = (view(kernel, position), fine_phase(position) / 256);
        let mut sum = learned.value.sum(phase);
        count(kernel, position, &view, &mut sum);
        let logit = white(mover(position), sum.logit());
        if drawn {
            learned.draws.value(phase, view.lines.draw_class(), logit)
        } else {
            Value { white: super::logistic(logit), draw: 0.0 }
        }
    }
}

impl Evaluator<General> for GeneralEvaluator {
    fn evaluate(&self, position: &General) -> Evaluation {
        match settled(position) {
            Some(proof) if position.at_turn_start() => Evaluation::Exact(proof),
            Some(proof) => Evaluation::Estimate(Value::of(proof.outcome)),
            None => {
                let Self { learned, drawn, .. } = self;
                Evaluation::Estimate(with_best_kernel(Evaluate { learned, position, drawn: *drawn }))
            }
        }
    }

    fn policy(&self, position: &General, steps: &[MoveFireStep], logits: &mut [f32]) {
        with_best_kernel(policy::Score { weights: &self.learned.steps, position, steps, logits });
    }

    fn explain(&self, position: &General) -> (Value, Vec<Term>) {
        (self.evaluate(position).value(), explain(&self.learned.value, position))
    }

    fn identity(&self) -> Vec<u8> {
        self.learned.to_bytes()
    }

    fn oracle(&self) -> &dyn Oracle<General> {
        self
    }
}

/// The result that the rules alone decide, if they do.
fn settled(position: &General) -> Option<Proof> {
    let plies = position.most_turns() as u8;
    position.settled().map(|outcome| Proof { outcome, plies })
}

impl Oracle<General> for GeneralEvaluator {
    fn result(&self, position: &General) -> Option<Proof> {
        settled(position)
    }

    fn certain_line(&self, position: &General, _: bool, work: &Work<'_>) -> Option<(Vec<Steps<General>>, Proof)> {
        let settled = settled(position).map(|proof| (None, proof));
        let (turn, proof) = settled.or_else(|| closed::certain_turn(position, work))?;
        let mut random = Xoshiro256PlusPlus::seed_from_u64(position.key());
        Some((vec![turn.unwrap_or_else(|| draw_turn(self, position, 1.0, &mut random))], proof))
    }

    fn solver(&self, position: &General, bytes: usize) -> Option<Box<dyn Solve<General>>> {
        dfpn::solver(position, General::settled, bytes)
    }

    fn prover(&self, root: &General, bytes: usize) -> Option<Box<dyn Prove<General>>> {
        dfpn::prover(root, General::settled, bytes)
    }

    fn remarks(&self, position: &General) -> Vec<String> {
        let mut remarks = Vec::new();
        if let Some(proof) = settled(position) {
            let result = match proof.outcome {
                Outcome::Win(side) => format!("{side} wins"),
                Outcome::Draw => "a draw".to_owned(),
            };
            remarks.push(format!("the rules alone decide every game from here: {result}"));
        }
        if let Some(regions) = closed::count(position, &Work::unlimited()) {
            remarks.extend(lines(&regions, || {
                margin(position, &regions).map_or([i32::MIN, i32::MAX], |exact| [exact; 2])
            }));
        }
        if !self.is_learned {
            remarks.push("nothing was learned for these rules: the weights are guessed".to_owned());
        }
        if position.rules().has_stones() {
            let [white, black] = [Side::White, Side::Black].map(|side| position.stones(side).count());
            remarks.push(format!("stones white {white} black {black}"));
        }
        remarks
    }
}

fn counts_by(position: &General, view: &View) -> Vec<i32> {
    let mut counts = vec![0; FEATURES];
    count(Portable, position, view, &mut counts);
    counts
}

/// The counts of a position, for fitting.
#[must_use]
#[doc(hidden)]
pub fn sample(position: &General) -> Sample {
    let view = view(Portable, position);
    let counts = counts_by(position, &view);
    Sample { counts, fine_phase: fine_phase(position), draw_class: view.lines.draw_class() }
}

/// The evaluation as a sum of terms.
fn explain(weights: &Network<FEATURES>, position: &General) -> Vec<Term> {
    let (view, mover, phase) = (view(Portable, position), mover(position), fine_phase(position) / 256);
    let explanation = Explanation { network: weights, phase, counts: counts_by(position, &view), mover };
    let part = |range| explanation.part(range);
    let of_sides = |of: &dyn Fn(Side) -> u32| [Side::White, Side::Black].map(|side| of(side) as f32);
    let now = view.lines.all_now();
    let mut terms = vec![
        Term {
            name: "distances",
            features: of_sides(&|side| view.levels.sets[0][side.index()].count()),
            logit: part(DISTANCES) + part(HITS),
        },
        Term { name: "pieces", features: of_sides(&|side| position.amazons(side).count()), logit: part(PIECES) },
    ];
    if position.rules().has_stones() {
        let (stones, prey) = (part(STONES) + part(LEAD), part(PREY));
        terms.push(Term { name: "stones", features: of_sides(&|side| position.stones(side).count()), logit: stones });
        let features = of_sides(&|side| (position.stones(!side) & now).count());
        terms.push(Term { name: "prey", features, logit: prey });
    }
    let turn = |side: Side| u32::from(side == mover);
    terms.push(Term { name: "next to move", features: of_sides(&turn), logit: part(BOARD) });
    explanation.complete(terms)
}

#[cfg(test)]
mod tests {
    use super::counts::{LEVELS, levels};
    use super::*;
    use crate::board::{Bitboard, Reach, Square};
    use crate::eval::learned::assert_scores_are_sums;
    use crate::eval::network::PHASES;
    use crate::eval::weights::Tables;
    use crate::eval::{Evaluated, Weights};
    use crate::games::Notation;
    use crate::games::general::{FireAt, Flips, Leaves, RuleSet, Tie, Turns};
    use crate::games::variant::Variant;
    use rand::RngExt;
    use std::ops::Range;

    /// Rules that differ in all that the features depend on.
    fn several() -> Vec<Variant> {
        let usual = Rules::AMAZONS;
        let stones = Rules { plain: Leaves::Own, stuck: Stuck::MostStones(Tie::Draw), ..usual };
        let knights = Rules { moves: [Reach::KNIGHT; 2], fires: [Reach::KNIGHT; 2], ..usual };
        let all = [
            ("queens", usual),
            ("knights", knights),
            ("kings-fire-far", Rules { moves: [Reach::KING; 2], ..usual }),
            ("misere", Rules { stuck: Stuck::Wins, moves: [Reach::ROOK.and(Reach::KNIGHT); 2], ..usual }),
            ("short-lines", Rules { moves: [Reach::QUEEN.within(3); 2], flips: Flips::Lines, ..stones }),
            ("runs", Rules { flips: Flips::Run(Leaves::Own), rim_barred: true, passes_pieces: true, ..stones }),
            ("over-stones", Rules { flips: Flips::Run(Leaves::Neutral), passes_stones: true, ..stones }),
            ("fewest", Rules { flips: Flips::Lines, stuck: Stuck::FewestStones(Tie::For(Side::Black)), ..stones }),
            ("trail", Rules { moves: [Reach::KING; 2], fire_at: FireAt::Left, ..usual }),
            ("isolation", Rules { moves: [Reach::KING; 2], fire_at: FireAt::Anywhere, ..usual }),
            ("edge", Rules { fire_at: FireAt::Edge, flips: Flips::Lines, ..stones }),
            ("protected", Rules { protected: [Bitboard(0xff_00ff); 2], ..usual }),
            ("at-will", Rules { turns: Turns::FireOptional, stuck: Stuck::Draws, ..knights }),
            ("passing", Rules { fire_at: FireAt::Left, stuck_passes: true, ..stones }),
            (
                "sides-differ",
                Rules { moves: [Reach::QUEEN, Reach::KNIGHT], fires: [Reach::KING, Reach::ROOK], ..usual },
            ),
            ("move-or-fire", Rules { turns: Turns::MoveOrFire, flips: Flips::Lines, ..stones }),
        ];
        let set = |(name, rules): (&str, Rules)| RuleSet {
            name: format!("evaluated-{name}"),
            title: String::new(),
            description: String::new(),
            start: "1q2q1/q4q/2*3/6/Q4Q/1Q2Q1 w".to_owned(),
            rules,
        };
        all.map(|rules| set(rules).variant()).to_vec()
    }

    /// Calls `f` with every position of a random game, of 60 turns at most, by each of the rules, those in the middle of
    /// a turn among them.
    fn for_each_position(mut f: impl FnMut(&Variant, &General)) {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(6);
        for variant in several() {
            let mut position = General::from_fen(&variant, variant.start()).unwrap();
            for _ in 0..120 {
                if position.at_turn_start() && position.outcome().is_some() {
                    break;
                }
                f(&variant, &position);
                let steps = position.steps();
                position.play(steps[random.random_range(0..steps.len())]);
            }
        }
    }

    /// The same position with the colours exchanged.
    fn exchanged(variant: &Variant, position: &General) -> General {
        let fen = position.fen();
        let (board, rest) = fen.split_once(' ').unwrap();
        let swap = |c: char| if c.is_ascii_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() };
        let side = if rest.starts_with('w') { 'b' } else { 'w' };
        let fen = format!("{} {side}{}", board.chars().map(swap).collect::<String>(), &rest[1..]);
        General::from_fen(variant, &fen).unwrap()
    }

    struct Counts<'a>(&'a General);

    impl KernelTask for Counts<'_> {
        type Output = (Vec<i32>, usize);

        fn run<K: Kernel>(self, kernel: K) -> Self::Output {
            let (view, mut counts) = (view(kernel, self.0), vec![0; FEATURES]);
            count(kernel, self.0, &view, &mut counts);
            (counts, view.lines.draw_class())
        }
    }

    #[test]
    fn every_kernel_counts_alike_whoever_is_white_and_everything_once() {
        let mut prey = 0;
        for_each_position(|variant, position| {
            let found = Counts(position).run(Portable);
            assert_eq!(with_best_kernel(Counts(position)), found, "{} {}", variant.name(), position.fen());
            if position.at_turn_start() && position.rules().has_equal_sides() {
                assert_eq!(Counts(&exchanged(variant, position)).run(Portable), found);
            }
            let (counts, draw_class) = found;
            assert!(fine_phase(position) < PHASES * 256 && draw_class < DRAW_CLASSES);
            let total = |range: Range<usize>| counts[range].iter().sum::<i32>();
            let view = view(Portable, position);
            assert_eq!(total(DISTANCES), (view.reached[0] | view.reached[1]).count() as i32);
            let pieces = position.amazons(Side::White) | position.amazons(Side::Black);
            assert_eq!([total(PIECES), total(PREY), total(LEAD)], [2 * pieces.count() as i32, 2, 1]);
            let stones = position.stones(Side::White) | position.stones(Side::Black);
            let flips = position.rules().flips != Flips::None;
            // Without flips no line is open.
            assert_eq!(total(STONES), stones.count() as i32, "{}", position.fen());
            assert!(flips || view.lines.loose.is_empty());
            prey += view.lines.all_now().count();
        });
        assert!(prey > 50, "{prey}");
    }

    #[test]
    fn distances_are_moves_of_the_games_own_pieces() {
        for_each_position(|variant, position| {
            let found = levels(Portable, position);
            for side in [Side::White, Side::Black] {
                let mut expected = [Bitboard::EMPTY; LEVELS];
                let (mut front, mut reached) = (position.amazons(side), Bitboard::EMPTY);
                for distance in 0.. {
                    let next: Bitboard = front
                        .into_iter()
                        .flat_map(|from| position.move_targets(side, from))
                        .filter(|&to| !reached.contains(to))
                        .collect();
                    if next.is_empty() {
                        break;
                    }
                    expected[distance.min(LEVELS - 1)] |= next;
                    (front, reached) = (next, reached | next);
                }
                let sets = found.sets.map(|level| level[side.index()]);
                assert_eq!(sets, expected, "{} {}", variant.name(), position.fen());
            }
        });
    }

    #[test]
    fn scores_are_the_sums_of_the_features_weights() {
        let starts: Vec<General> =
            several().into_iter().map(|variant| General::from_fen(&variant, variant.start()).unwrap()).collect();
        let phase = |position: &General| fine_phase(position) / 256;
        assert_scores_are_sums(&starts, phase, step_features, |weights, position, steps, logits| {
            with_best_kernel(policy::Score { weights, position, steps, logits });
        });
    }

    #[test]
    fn guesses_know_who_wins() {
        let find = |name: &str| several().into_iter().find(|variant| variant.name().ends_with(name)).unwrap();
        let white = |name: &str, fen: &str| {
            let variant = find(name);
            let evaluator = General::evaluator(&variant, &Weights::bootstrap());
            let value = evaluator.evaluate(&General::from_fen(&variant, fen).unwrap()).value();
            assert!(variant.traits().draws || value.draw == 0.0);
            value.white
        };
        // Black's piece is nearly shut in; then White has more stones.
        let (shut, more) = ("q*4/**4/6/6/6/4Q1 b", "q5/6/1SS1S1/1s4/6/4Q1 w");
        assert!(white("queens", shut) > 0.6 && white("misere", shut) < 0.4);
        assert!(white("short-lines", more) > 0.6 && white("fewest", more) < 0.4);
    }

    #[test]
    fn weights_are_for_the_rules_they_were_learned_by() {
        let [queens, knights] = [several()[0].clone(), several()[1].clone()];
        let known = Weights::embedded().with_own(&knights);
        let mut tables = known.tables();
        let name = "own@moves = 'N', fires = 'N'";
        let own: Vec<_> = tables.tables.iter().filter(|(table, _)| table.starts_with(name)).collect();
        assert_eq!(own.len(), 4, "linear and hidden weights, draws and policy");
        let table = tables.tables.iter_mut().find(|(table, _)| table == name).unwrap();
        table.1.chunks_mut(FEATURES).for_each(|phase| phase[BOARD.start] += 65_536);
        let changed = Weights::from_bytes(&tables.to_bytes()).unwrap();
        assert_eq!(Tables::from_bytes(&changed.tables().to_bytes()).unwrap(), tables);
        let said = |variant: &Variant, weights: &Weights| {
            let evaluator = General::evaluator(variant, weights);
            let start = General::from_fen(variant, variant.start()).unwrap();
            (evaluator.evaluate(&start).value().white, evaluator.remarks(&start).len())
        };
        let (guessed, learned) = (said(&knights, &Weights::embedded()), said(&knights, &changed));
        assert!(learned.0 > guessed.0 + 0.1 && guessed.1 == 1 && learned.1 == 0, "{guessed:?} {learned:?}");
        assert_eq!(said(&queens, &Weights::embedded()), said(&queens, &changed));
        let wrong = Tables { notes: String::new(), tables: vec![(name.to_owned(), vec![0; 5])] };
        let error = Weights::from_bytes(&wrong.to_bytes()).unwrap_err().to_string();
        assert!(error.starts_with("table 'own@moves = 'N', fires = 'N'' has 5 weights instead of "), "{error}");
    }

    #[test]
    fn flips_and_pieces_nearby_are_seen() {
        // The knight on a1 could step to b3 and c2; an enemy on e3 stands a leap away from c2.
        let knights = &several()[1];
        let position = General::from_fen(knights, "6/6/6/4q1/6/Q5 w").unwrap();
        let square = |name: &str| name.parse::<Square>().unwrap();
        let steps = position.steps();
        let features = step_features(&position, &steps);
        let of = |to: &str| {
            let at = steps.iter().position(|step| *step == MoveFireStep::moving(square("a1"), square(to)));
            features[at.unwrap()].clone()
        };
        let (near, far) = (of("c2"), of("b3"));
        // The table of enemy pieces next to the target is the seventh.
        let start: usize = [5, 5, 9, 4, 4, 6].iter().sum();
        assert_eq!([near[6], far[6]].map(usize::from), [start + 1, start]);
    }
}
