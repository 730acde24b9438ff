//! The result of one position.

use super::{Crew, Field, Numbers, Search, turns_of};
use crate::endgame::{Proof, ProofStatus, Solve};
use crate::games::{Outcome, Position, Steps};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// A proof search for one position. It asks whether the side to move wins, and where games may be drawn, by turns with
/// that, whether it does not lose: the odds are 1 then, and a draw is enough.
pub(in crate::endgame) struct Solver<F: Field> {
    root: F::Position,
    /// See [`Solve::is_late`].
    is_late: bool,
    crew: Crew<F>,
    /// The answers by odds, each set once.
    found: [OnceLock<Found<F>>; 2],
    /// Slices begun.
    slices: AtomicUsize,
}

/// Whether the side to move reaches what is asked for; if so, by a turn to this state.
type Found<F> = Option<<F as Field>::State>;

/// The result, and the odds with which its line is played.
struct Answer {
    outcome: Outcome,
    odds: usize,
}

impl<F: Field> Solver<F> {
    /// A solver for a position at the start of a turn, with `bytes` of memory, for one worker. `None` if the system
    /// refuses it.
    pub fn new(field: F, root: &F::Position, bytes: usize) -> Option<Self> {
        let is_late = field.is_late(root);
        let (crew, found) = (Crew::new(field, bytes)?, [OnceLock::new(), OnceLock::new()]);
        Some(Self { root: *root, is_late, crew, found, slices: AtomicUsize::new(0) })
    }

    /// Whether the side to move reaches what is asked for with these odds, if that is known.
    fn reaches(&self, odds: usize) -> Option<bool> {
        self.found[odds].get().map(Option::is_some)
    }

    fn answer(&self) -> Option<Answer> {
        let mover = self.root.side_to_move();
        let (outcome, odds) = match [self.reaches(0), self.reaches(1)] {
            [Some(true), _] => (Outcome::Win(mover), 0),
            [_, Some(false)] => (Outcome::Win(!mover), 1),
            [Some(false), Some(true)] => (Outcome::Draw, 1),
            [Some(false), None] if !F::Position::CAN_BE_DRAWN => (Outcome::Win(!mover), 0),
            _ => return None,
        };
        Some(Answer { outcome, odds })
    }

    /// The odds of the question to go on with.
    fn question(&self) -> usize {
        match [self.reaches(0), self.reaches(1)] {
            _ if !F::Position::CAN_BE_DRAWN => 0,
            [None, None] => self.slices.fetch_add(1, Relaxed) % 2,
            [first, _] => usize::from(first.is_some()),
        }
    }

    /// The turns that keep the result, as far as they are still known.
    fn line(&self, search: &mut Search<'_, F>, &Answer { outcome, odds }: &Answer) -> Vec<Steps<F::Position>> {
        let first = self.found[odds].get().copied().flatten();
        let (mut position, mut turns, mut wins, mut odds) = (self.root, Vec::new(), first.is_some(), odds as i32);
        while position.outcome().is_none() {
            odds = F::odds_after(odds);
            let mut best: Option<(i64, Steps<F::Position>, F::Position)> = None;
            for (turn, next) in turns_of(&position) {
                let state = search.state(&next, odds);
                // The table may have forgotten the first turn.
                let lost = turns.is_empty() && first == Some(state) || search.numbers(&state).result() == Some(false);
                // Who loses keeps the other busy.
                let Numbers { proof, disproof } = search.guess(&state);
                let lead = i64::from(disproof) - i64::from(proof);
                if (lost || !wins) && best.as_ref().is_none_or(|(least, ..)| lead < *least) {
                    best = Some((lead, turn, next));
                }
            }
            let Some((_, turn, next)) = best else { break };
            turns.push(turn);
            (position, wins) = (next, !wins);
            // After it the other side must be careful as well.
            if outcome == Outcome::Draw {
                break;
            }
        }
        turns
    }
}

impl<F: Field> Solve<F::Position> for Solver<F> {
    fn employ(&mut self, workers: usize) {
        self.crew.employ(workers);
    }

    fn turn_to(&mut self, position: &F::Position) -> bool {
        let (sees, is_late) = self.crew.with(0, &|| true, |mut search| {
            let field = search.field();
            (field.sees(&self.root, position), field.is_late(position))
        });
        if sees {
            (self.root, self.is_late, self.found, self.slices) =
                (*position, is_late, Default::default(), Default::default());
        }
        sees
    }

    fn advance(&self, worker: usize, positions: u64, go_on: &dyn Fn() -> bool) -> u64 {
        if !self.crew.has(worker) || self.answer().is_some() {
            return 0;
        }
        let odds = self.question();
        let go_on = || self.found[odds].get().is_none() && go_on();
        let (answer, count) =
            self.crew.with(worker, &go_on, |search| search.answer(&self.root, odds as i32, positions));
        if let Some(found) = answer {
            // Another worker may have been quicker.
            let _ = self.found[odds].set(found);
        }
        count
    }

    fn is_late(&self) -> bool {
        self.is_late
    }

    fn solved(&self) -> Option<(Vec<Steps<F::Position>>, Proof)> {
        let answer = self.answer()?;
        let wins = answer.outcome == Outcome::Win(self.root.side_to_move());
        let plies = u8::try_from(F::plies(&self.root, wins)).unwrap_or(u8::MAX);
        let turns = self.crew.with(0, &|| true, |mut search| self.line(&mut search, &answer));
        (!turns.is_empty()).then_some((turns, Proof { outcome: answer.outcome, plies }))
    }

    fn status(&self) -> Option<ProofStatus<F::Position>> {
        // As long as it may win, how far that is.
        let after = F::odds_after(i32::from(F::Position::CAN_BE_DRAWN && self.reaches(0) == Some(false)));
        self.crew.with(0, &|| true, |mut search| {
            let mut numbers = |position: &F::Position, odds| {
                let state = search.state(position, odds);
                search.numbers(&state)
            };
            let turns: Vec<_> =
                turns_of(&self.root).into_iter().map(|(turn, next)| (numbers(&next, after), turn, next)).collect();
            let open = || turns.iter().filter(|(numbers, ..)| numbers.result() != Some(true));
            let (_, best, next) = open().min_by_key(|(numbers, ..)| numbers.disproof)?;
            let (replies, odds) = (turns_of(next), F::odds_after(after));
            Some(ProofStatus {
                turns: turns.len() as u32,
                refuted: (turns.len() - open().count()) as u32,
                best: best.clone(),
                replies: replies.len() as u32,
                answered: replies.iter().filter(|(_, reply)| numbers(reply, odds).result() == Some(true)).count()
                    as u32,
            })
        })
    }
}
