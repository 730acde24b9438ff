//! Positions of games of move and fire as they stand, by any rules under which every turn fires.

use super::{Crew, Field, Key, Numbers, Solver};
use crate::endgame::{Prove, Solve};
use crate::games::move_fire::{Kind, MoveFire};
use crate::games::{Outcome, Position, for_each_turn};

/// Positions as they stand. New ones are the farther from a loss the more replies there are.
pub(super) struct Stones<K: Kind> {
    /// The result of a position, if it is certain before the game is over.
    known: fn(&MoveFire<K>) -> Option<Outcome>,
}

/// The most empty squares of a position that a solver is made for. Far from the end it would only take time.
const MOST_EMPTY: u32 = 56;
/// With more of them a tree search proves about as much in the same time.
const FEW_EMPTY: u32 = 30;
/// Whether there are solvers. The page goes without: its engine would be a twentieth larger.
const IS_HERE: bool = cfg!(feature = "inspect");

/// A solver for a position at the start of a turn, with `bytes` of memory. `known` tells results that are certain
/// before the game is over. `None` if turns need not fire, as games may then go on for ever, if the end is too far
/// away, or if the system refuses the memory.
pub(crate) fn solver<K: Kind>(
    root: &MoveFire<K>,
    known: fn(&MoveFire<K>) -> Option<Outcome>,
    bytes: usize,
) -> Option<Box<dyn Solve<MoveFire<K>>>> {
    let empty = root.empty().count();
    if !IS_HERE || root.rules().may_hold() || empty > MOST_EMPTY {
        return None;
    }
    Some(Box::new(Solver::new(Stones { known }, root, bytes)?))
}

/// Proofs of all that may follow from `root`, as [`solver`] for one position.
pub(crate) fn prover<K: Kind>(
    root: &MoveFire<K>,
    known: fn(&MoveFire<K>) -> Option<Outcome>,
    bytes: usize,
) -> Option<Box<dyn Prove<MoveFire<K>>>> {
    if !IS_HERE || root.rules().may_hold() {
        return None;
    }
    Some(Box::new(Crew::new(Stones { known }, bytes)?))
}

impl<K: Kind> Prove<MoveFire<K>> for Crew<Stones<K>> {
    fn reaches(&self, position: &MoveFire<K>, draw_is_enough: bool, positions: u64) -> Option<bool> {
        Self::reaches(self, position, draw_is_enough.into(), positions)
    }
}

/// Part of the keys of states in which a draw is enough.
const DRAW_IS_ENOUGH: u64 = 0x9e37_79b9_7f4a_7c15;

/// A position, and whether a draw is enough for the side to move.
#[derive(Clone, Copy, PartialEq)]
pub(super) struct Asked<K: Kind> {
    position: MoveFire<K>,
    odds: bool,
}

impl<K: Kind> Field for Stones<K> {
    type Position = MoveFire<K>;
    type State = Asked<K>;

    fn for_one_of(&self, _: usize) -> Self {
        Self { known: self.known }
    }

    fn sees(&self, root: &MoveFire<K>, position: &MoveFire<K>) -> bool {
        root.geometry().squares() == position.geometry().squares() && position.empty().count() <= MOST_EMPTY
    }

    fn is_late(&self, position: &MoveFire<K>) -> bool {
        position.empty().count() > FEW_EMPTY
    }

    fn state(&mut self, position: &MoveFire<K>, odds: i32) -> Asked<K> {
        Asked { position: *position, odds: odds > 0 }
    }

    /// The key's 64 bits are enough for minutes: among 10^9 looks at 10^7 positions, one would be taken for another
    /// once in two thousand searches.
    #[inline(always)]
    fn key(state: &Asked<K>) -> Key {
        let key = state.position.key() ^ if state.odds { DRAW_IS_ENOUGH } else { 0 };
        Key { place: key, check: key }
    }

    /// They are in the key: else the numbers of one question would be lost to the other's.
    #[inline(always)]
    fn odds(_: &Asked<K>) -> i32 {
        0
    }

    #[inline(always)]
    fn odds_after(odds: i32) -> i32 {
        1 - odds
    }

    #[inline(always)]
    fn expand(&mut self, state: &Asked<K>, found: &mut Vec<(Key, Asked<K>)>) {
        let odds = !state.odds;
        for_each_turn(&state.position, &mut |_, &position: &MoveFire<K>| {
            let after = Asked { position, odds };
            found.push((Self::key(&after), after));
        });
    }

    #[inline(always)]
    fn look(&mut self, Asked { position, odds }: &Asked<K>) -> Numbers {
        let replies = position.count_steps() as u32;
        let outcome = if replies == 0 { Some(position.result()) } else { (self.known)(position) };
        match outcome {
            None => Numbers { proof: 1, disproof: replies },
            Some(Outcome::Draw) if *odds => Numbers::WON,
            Some(outcome) if outcome == Outcome::Win(position.side_to_move()) => Numbers::WON,
            Some(_) => Numbers::LOST,
        }
    }

    fn plies(position: &MoveFire<K>, _: bool) -> u32 {
        position.most_turns()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Bitboard, Geometry, Reach};
    use crate::endgame::amazons::Owner;
    use crate::endgame::{Proof, Work, closed};
    use crate::eval::{Evaluated, Evaluator, Weights};
    use crate::games::desdemona::{Desdemona, DesdemonaRules};
    use crate::games::general::{General, GeneralRules, RuleSet};
    use crate::games::move_fire::{FireAt, Pieces, Rules, Stuck, Tie, Turns};
    use crate::games::variant::{self, Variant};
    use crate::games::{Notation, Side, Steps};
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;
    use std::collections::HashMap;

    /// The result with best play, by all turns.
    fn brute<P: Position>(position: &P, known: &mut HashMap<u64, Outcome>) -> Outcome {
        if let Some(outcome) = position.outcome().or_else(|| known.get(&position.key()).copied()) {
            return outcome;
        }
        let mover = position.side_to_move();
        let worth = |outcome: Outcome| {
            [Outcome::Win(!mover), Outcome::Draw, Outcome::Win(mover)].iter().position(|&of| of == outcome)
        };
        let mut best = Outcome::Win(!mover);
        for_each_turn(position, &mut |_: &Steps<P>, after: &P| {
            best = [best, brute(after, known)].into_iter().max_by_key(|&outcome| worth(outcome)).unwrap();
        });
        known.insert(position.key(), best);
        best
    }

    /// A small position with at most six empty squares.
    fn small<K: Kind>(variant: &Variant, random: &mut Xoshiro256PlusPlus) -> MoveFire<K> {
        let geometry = Geometry::get(random.random_range(3..=5), random.random_range(3..=5)).unwrap();
        let mut left: Vec<_> = geometry.squares().into_iter().collect();
        let mut take = |count: usize| -> Bitboard {
            (0..count.min(left.len())).map(|_| left.swap_remove(random.random_range(0..left.len()))).collect()
        };
        let amazons = [take(2), take(1)];
        take(6);
        let mut sets = [Bitboard::EMPTY; 3];
        for square in left {
            let set = &mut sets[random.random_range(0..3)];
            *set = set.with(square);
        }
        let [white, black, neutral] = sets;
        let stones = if K::of(variant).unwrap().rules().has_stones() { [white, black] } else { [Bitboard::EMPTY; 2] };
        let neutral = neutral | (white | black) & !(stones[0] | stones[1]);
        let side = if random.random_bool(0.5) { Side::White } else { Side::Black };
        let pieces = Pieces { amazons, stones, neutral };
        MoveFire::from_pieces(K::of(variant).unwrap(), geometry, &pieces, side, false).unwrap()
    }

    /// The result by as many workers, in slices, and the positions that they looked at.
    fn solve<P: Evaluated>(evaluator: &P::Evaluator, position: &P, workers: usize) -> (Vec<Steps<P>>, Proof, u64) {
        let mut solver = evaluator.oracle().solver(position, 4 << 20).unwrap();
        solver.employ(workers);
        let work = |worker: usize| {
            std::iter::repeat_with(|| solver.advance(worker, 2_000, &|| true)).take_while(|&count| count > 0).sum()
        };
        let count = std::thread::scope(|scope| {
            (1..workers).for_each(|worker| _ = scope.spawn(move || -> u64 { work(worker) }));
            work(0)
        });
        let (turns, proof) = solver.solved().unwrap();
        (turns, proof, count)
    }

    /// Solves small positions; returns how often White, nobody and Black wins.
    fn check<K: Kind>(variant: &Variant, seed: u64) -> [u32; 3]
    where
        MoveFire<K>: Evaluated,
    {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let evaluator = MoveFire::<K>::evaluator(variant, &Weights::embedded());
        let mut results = [0; 3];
        for round in 0..60 {
            let position = small::<K>(variant, &mut random);
            if position.outcome().is_some() {
                continue;
            }
            let mut known = HashMap::new();
            let expected = brute(&position, &mut known);
            let (turns, proof, _) = solve(&evaluator, &position, [1, 2, 1, 4][round % 4]);
            assert_eq!(proof.outcome, expected, "{} {}", variant.name(), position.fen());
            let after = turns[0].iter().fold(position, |position, &step| position.after(step));
            assert_eq!(brute(&after, &mut known), expected, "{} {}", variant.name(), position.fen());
            let mut solver = evaluator.oracle().solver(&position, 4 << 20).unwrap();
            for place in [after, position].into_iter().filter(|place| place.outcome().is_none()) {
                assert!(solver.turn_to(&place));
                while solver.advance(0, 2_000, &|| true) > 0 {}
                assert_eq!(solver.solved().unwrap().1.outcome, expected, "{} {}", variant.name(), place.fen());
            }
            results[match expected {
                Outcome::Win(Side::White) => 0,
                Outcome::Draw => 1,
                Outcome::Win(Side::Black) => 2,
            }] += 1;
        }
        results
    }

    #[test]
    fn small_positions_are_solved_as_by_brute_force() {
        let mut all = [0; 3];
        let mut count = |results: [u32; 3]| all.iter_mut().zip(results).for_each(|(all, count)| *all += count);
        let of_family = variant::VARIANTS.iter().filter(|variant| variant.traits().stones);
        of_family.zip(1..).for_each(|(variant, seed)| count(check::<DesdemonaRules>(variant, seed)));
        let own = [
            Rules { stuck: Stuck::Wins, ..Rules::AMAZONS },
            Rules { stuck: Stuck::FewestStones(Tie::Draw), ..Rules::IAGO },
            Rules { stuck: Stuck::MostStones(Tie::For(Side::Black)), moves: [Reach::KNIGHT; 2], ..Rules::EARLY },
        ];
        for (rules, seed) in own.into_iter().zip(20..) {
            let [name, title, description] = ["own", "", ""].map(str::to_owned);
            let set = RuleSet { name, title, description, start: variant::DEFAULT.start().to_owned(), rules };
            count(check::<GeneralRules>(&set.variant(), seed));
        }
        assert!(all.iter().all(|&count| count > 40), "{all:?}");
    }

    /// The turns that a side has in a region where it is alone, by trying all.
    fn alone(position: &General, side: Side, within: Bitboard) -> u32 {
        let (pieces, geometry) = (position.amazons(side) & within, position.geometry());
        let mut amazons = [Bitboard::EMPTY; 2];
        amazons[side.index()] = pieces;
        let neutral = geometry.squares() & !(position.empty() & within | pieces);
        let pieces = Pieces { amazons, neutral, ..Pieces::default() };
        let start = General::from_pieces(*position.kind(), geometry, &pieces, side, false).unwrap();
        let mut most = 0;
        for_each_turn(&start, &mut |_, after| most = most.max(1 + alone(after, side, within)));
        most
    }

    #[test]
    fn territories_under_rules_of_ones_own_have_the_turns_and_winners_that_brute_force_finds() {
        let amazons = Rules::AMAZONS;
        let (knights, rooks) = ([Reach::KNIGHT; 2], [Reach::ROOK; 2]);
        let short = [Reach::ROOK.within(1), Reach::BISHOP];
        let mut random = Xoshiro256PlusPlus::seed_from_u64(69);
        for (rules, most) in [
            (Rules { moves: knights, fires: knights, ..amazons }, 30),
            (Rules { moves: short, fires: short, ..amazons }, 20),
            (Rules { moves: [Reach::KING; 2], fire_at: FireAt::Left, ..amazons }, 5),
            (
                Rules {
                    moves: rooks,
                    fires: rooks,
                    protected: [Bitboard(0x1ff), Bitboard(0x7f)],
                    rim_barred: true,
                    ..amazons
                },
                5,
            ),
        ] {
            let [name, title, description] = ["own", "", ""].map(str::to_owned);
            let variant =
                RuleSet { name, title, description, start: variant::DEFAULT.start().to_owned(), rules }.variant();
            let evaluator = General::evaluator(&variant, &Weights::embedded());
            let (mut decided, mut territories) = (0, 0);
            for _ in 0..400 {
                let position: General = small(&variant, &mut random);
                if position.outcome().is_some() {
                    continue;
                }
                let place = position.fen();
                for region in closed::count(&position, &Work::unlimited()).unwrap() {
                    if let Owner::Territory(side) = region.region.owner {
                        let found = region.turns[side.index()].exact();
                        assert_eq!(found, Some(alone(&position, side, region.region.squares)), "{place}");
                        territories += 1;
                    }
                }
                let Some((turns, proof)) = evaluator.oracle().certain_line(&position, true, &Work::unlimited()) else {
                    continue;
                };
                let mut known = HashMap::new();
                assert_eq!(proof.outcome, brute(&position, &mut known), "{place}");
                let after = turns[0].iter().fold(position, |position, &step| position.after(step));
                assert_eq!(brute(&after, &mut known), proof.outcome, "{place}");
                decided += 1;
            }
            assert!(decided > most && territories > most, "{rules:?}: {decided} {territories}");
        }
    }

    fn iago(fen: &str) -> Desdemona {
        Desdemona::from_fen(&variant::find("iago").unwrap(), fen).unwrap()
    }

    #[test]
    fn one_worker_always_searches_the_same() {
        let evaluator = Desdemona::evaluator(&variant::find("iago").unwrap(), &Weights::embedded());
        let position = iago("q3/1sS1/s*2/*S1s/Q*s1 w");
        assert_eq!(solve(&evaluator, &position, 1), solve(&evaluator, &position, 1));
    }

    #[test]
    fn no_solver_where_games_may_last_for_ever_or_long() {
        let none = |_: &_| None;
        let start = iago(variant::find("iago").unwrap().start());
        assert!(solver(&start, |_| None, 1 << 16).is_none());
        let rules = Rules { turns: Turns::FireOptional, ..Rules::AMAZONS };
        let of = |rules: &Rules| {
            let pieces = Pieces { amazons: start.both_amazons(), ..Pieces::default() };
            let geometry = Geometry::get(10, 10).unwrap();
            let pieces = Pieces {
                neutral: geometry.squares() & !geometry.rim() & !(pieces.amazons[0] | pieces.amazons[1]),
                ..pieces
            };
            General::from_pieces(GeneralRules::new(rules), geometry, &pieces, Side::White, false).unwrap()
        };
        assert!(solver(&of(&Rules::AMAZONS), none, 1 << 16).is_some() && solver(&of(&rules), none, 1 << 16).is_none());
    }
}
