//! The recursion of one worker.

use super::marks::Marks;
use super::table::ProofTable;
use super::{Fact, Field, Key, Numbers};
use crate::board::flood::{Kernel, KernelTask, with_best_kernel};

/// Where all turns must be refuted, each open one but the hardest adds 1/SHARE of its number.
const SHARE: u32 = 5;
/// A turn is left when it has fallen behind the next best by 1/PATIENCE.
const PATIENCE: u32 = 4;
/// Turns that the processor fetches ahead.
const AHEAD: usize = 8;
/// Positions below one child after which a worker looks at what others found out about the rest.
const LONG: u64 = 1_000;

/// State of one worker, which the others do not use.
pub(super) struct Worker<F: Field> {
    pub field: F,
    /// Positions that may still be looked at in this slice, and all that were.
    left: u64,
    looked_at: u64,
    /// The turn by which the position that was left last is won, if this worker found it out.
    winning: Option<F::State>,
    /// Results that took at least this many positions are kept in `facts` as well.
    keep_from: u64,
    facts: Vec<Fact>,
}

impl<F: Field> Worker<F> {
    pub fn new(field: F) -> Self {
        Self { field, left: 0, looked_at: 0, winning: None, keep_from: u64::MAX, facts: Vec::new() }
    }

    /// From now on keeps results that took at least `work` positions, for [`Worker::take_facts`].
    pub fn keep_from(&mut self, work: u64) {
        self.keep_from = work;
    }

    /// The results kept since the last call.
    pub fn take_facts(&mut self) -> Vec<Fact> {
        std::mem::take(&mut self.facts)
    }
}

/// A worker at work.
pub(in crate::endgame) struct Search<'a, F: Field> {
    table: &'a ProofTable,
    marks: Option<&'a Marks>,
    worker: &'a mut Worker<F>,
    /// False once the slice is to end, however short it was.
    go_on: &'a dyn Fn() -> bool,
}

struct Child<S> {
    key: Key,
    state: S,
    numbers: Numbers,
}

impl<'a, F: Field> Search<'a, F> {
    pub(super) fn new(
        table: &'a ProofTable,
        marks: Option<&'a Marks>,
        worker: &'a mut Worker<F>,
        go_on: &'a dyn Fn() -> bool,
    ) -> Self {
        Self { table, marks, worker, go_on }
    }

    /// Searches on from a position for about `positions` positions, at least until it is decided. Returns whether the
    /// side to move reaches what is asked for, if this worker found it out, and by a turn to which state; and how many
    /// positions were looked at.
    pub(super) fn answer(mut self, root: &F::Position, odds: i32, positions: u64) -> (Option<Option<F::State>>, u64) {
        let before = self.worker.looked_at;
        self.worker.left = positions;
        let state = self.state(root, odds);
        let found = match self.search(F::key(&state), &state, Numbers::FREE).result() {
            Some(true) => self.worker.winning.map(Some),
            Some(false) => Some(None),
            None => None,
        };
        (found, self.worker.looked_at - before)
    }

    /// Searches a position for about `positions` positions, until it is decided or one of its numbers reaches that of
    /// `most`. Returns its numbers and how many positions were looked at.
    pub fn prove(mut self, state: &F::State, positions: u64, most: Numbers) -> (Numbers, u64) {
        let known = self.numbers(state);
        if known.result().is_some() {
            return (known, 0);
        }
        let before = self.worker.looked_at;
        self.worker.left = positions;
        let numbers = self.search(F::key(state), state, most);
        (numbers, self.worker.looked_at - before)
    }

    /// A position of the game as the search sees it.
    pub fn state(&mut self, position: &F::Position, odds: i32) -> F::State {
        self.worker.field.state(position, odds)
    }

    /// The field of this worker.
    pub fn field(&mut self) -> &mut F {
        &mut self.worker.field
    }

    /// The numbers of a position, proven or estimated.
    pub fn numbers(&mut self, state: &F::State) -> Numbers {
        self.look(F::key(state), state)
    }

    /// Those that it has as long as no search knows it.
    pub fn guess(&mut self, state: &F::State) -> Numbers {
        self.worker.field.look(state)
    }

    /// Those that the table has.
    pub fn known(&self, state: &F::State) -> Option<Numbers> {
        self.table.get(F::key(state), F::odds(state))
    }

    /// The numbers of a position that is not being searched, proven or estimated.
    #[inline(always)]
    fn look(&mut self, key: Key, state: &F::State) -> Numbers {
        match self.table.get(key, F::odds(state)) {
            Some(numbers) => numbers,
            None => self.worker.field.look(state),
        }
    }

    /// Where the turns of `state` lead to, up to the first that wins.
    #[inline(always)]
    fn children(&mut self, state: &F::State) -> Vec<Child<F::State>> {
        let mut found = Vec::with_capacity(64);
        self.worker.field.expand(state, &mut found);
        // Of equal ones the one that gives the other side the least odds is as good as all.
        found.sort_unstable_by_key(|(key, state)| (key.place, F::odds(state)));
        found.dedup_by_key(|(key, _)| *key);
        self.worker.left = self.worker.left.saturating_sub(found.len() as u64);
        self.worker.looked_at += found.len() as u64;
        found.iter().take(AHEAD).for_each(|(key, _)| self.table.prefetch(*key));
        let mut children = Vec::with_capacity(found.len());
        for (index, &(key, state)) in found.iter().enumerate() {
            if let Some((ahead, _)) = found.get(index + AHEAD) {
                self.table.prefetch(*ahead);
            }
            let numbers = self.look(key, &state);
            children.push(Child { key, state, numbers });
            if numbers.result() == Some(false) {
                break;
            }
        }
        children
    }

    /// Searches a position until it is decided, one of its numbers reaches that of `most`, or the slice is over.
    fn search(&mut self, key: Key, state: &F::State, most: Numbers) -> Numbers {
        let start = self.worker.looked_at;
        let mut children = with_best_kernel(Expand { search: self, state });
        let mut been_below = false;
        loop {
            let Choice { numbers, mut best, mut next, others } = choose(&children);
            let over = numbers.proof >= most.proof
                || numbers.disproof >= most.disproof
                || self.over() && (been_below || self.is_new(key, state))
                || !(self.go_on)();
            let decided = numbers.result().is_some();
            if decided || over {
                let work = self.worker.looked_at - start;
                self.table.put(key, F::odds(state), numbers, work);
                if decided && work >= self.worker.keep_from {
                    self.worker.facts.push(Fact { key, spare: F::odds(state), wins: numbers == Numbers::WON, work });
                }
                self.worker.winning = (numbers == Numbers::WON).then(|| children[best].state);
                return numbers;
            }
            been_below = true;
            if let Some(marks) = self.marks {
                let apart = part(&children, best, most.proof, |child| marks.count(child.key.place));
                if apart != best {
                    (best, next) = (apart, children[apart].numbers.disproof);
                }
            }
            let most = below(most, next, others);
            let Child { key: after_key, state: after, .. } = children[best];
            let Some(marks) = self.marks else {
                children[best].numbers = self.search(after_key, &after, most);
                continue;
            };
            let before = self.worker.looked_at;
            children[best].numbers = marks.during(after_key.place, || self.search(after_key, &after, most));
            // Meanwhile others may have found out more.
            if let Some(known) = self.table.get(key, F::odds(state))
                && known.result().is_some()
            {
                self.worker.winning = None;
                return known;
            }
            if self.worker.looked_at - before >= LONG {
                self.refresh(&mut children, best);
            }
        }
    }

    /// Whether a position was never left before. A slice that is over goes on to one: the way there alone may take more
    /// than a slice.
    fn is_new(&self, key: Key, state: &F::State) -> bool {
        self.table.get(key, F::odds(state)).is_none()
    }

    /// Whether the slice is over.
    fn over(&self) -> bool {
        self.worker.left == 0
    }

    /// Takes from the table what others found out of all children but one.
    fn refresh(&self, children: &mut [Child<F::State>], but: usize) {
        for (index, Child { key, state, numbers }) in children.iter_mut().enumerate() {
            if index != but
                && numbers.result().is_none()
                && let Some(known) = self.table.get(*key, F::odds(state))
            {
                *numbers = known;
            }
        }
    }
}

/// [`Search::children`], compiled for the processor.
struct Expand<'a, 'b, F: Field> {
    search: &'a mut Search<'b, F>,
    state: &'a F::State,
}

impl<F: Field> KernelTask for Expand<'_, '_, F> {
    type Output = Vec<Child<F::State>>;

    #[inline(always)]
    fn run<K: Kernel>(self, _: K) -> Vec<Child<F::State>> {
        self.search.children(self.state)
    }
}

struct Choice {
    numbers: Numbers,
    /// Index of the child to search, and the number of the next best one.
    best: usize,
    next: u32,
    /// Open children but one.
    others: u32,
}

/// The numbers of a position by those of its children, and where to go on.
#[inline(always)]
fn choose<S>(children: &[Child<S>]) -> Choice {
    let (mut least, mut next, mut best) = (Numbers::INFINITE, Numbers::INFINITE, 0);
    let (mut greatest, mut open) = (0, 0u32);
    for (index, Child { numbers, .. }) in children.iter().enumerate() {
        if numbers.disproof < least {
            (next, least, best) = (least, numbers.disproof, index);
        } else {
            next = next.min(numbers.disproof);
        }
        if numbers.proof > 0 {
            open += 1;
            greatest = greatest.max(numbers.proof);
        }
    }
    let others = open.saturating_sub(1);
    let numbers = match (least, open) {
        (0, _) => Numbers::WON,
        (_, 0) => Numbers::LOST,
        _ => Numbers { proof: least, disproof: (greatest + others / SHARE).min(Numbers::INFINITE - 1) },
    };
    Choice { numbers, best, next, others }
}

/// The numbers of a position by those of all its children, where to go on (as for [`choose`], an index), and with which
/// numbers the child is to be left if the position is to be left with `most`.
pub(in crate::endgame) fn go_on_below(children: &[Numbers], most: Numbers) -> (Numbers, usize, Numbers) {
    let children: Vec<_> =
        children.iter().map(|&numbers| Child { key: Key { place: 0, check: 0 }, state: (), numbers }).collect();
    let Choice { numbers, best, next, others } = choose(&children);
    (numbers, best, below(most, next, others))
}

/// With which numbers a child is to be left if its parent is to be left with `most`.
#[inline(always)]
fn below(most: Numbers, next: u32, others: u32) -> Numbers {
    let patience = next.saturating_add(1 + next / PATIENCE);
    Numbers { proof: most.disproof.saturating_sub(others / SHARE), disproof: most.proof.min(patience) }
}

/// Where to go on if `workers` are below some children: each makes a number greater by one, and the child with the
/// least of these virtual numbers is the one, if its own is less than `most`. From the `best` child on, so that few
/// marks are looked at.
///
/// With one, which parts workers hardly more than where numbers are equal, two workers proved 4×6 and 5×5 squares after
/// fewer positions than with an eighth, a quarter, half or all of the number.
fn part<S>(children: &[Child<S>], best: usize, most: u32, workers: impl Fn(&Child<S>) -> u32) -> usize {
    let virtual_number = |child: &Child<S>| child.numbers.disproof.saturating_add(workers(child));
    let (mut chosen, mut least, mut last) = (best, virtual_number(&children[best]), best);
    loop {
        let place = |index: usize| (children[index].numbers.disproof, index);
        let next = (0..children.len()).filter(|&index| place(index) > place(last)).min_by_key(|&index| place(index));
        match next {
            Some(next) if children[next].numbers.disproof < least.min(most) => {
                let number = virtual_number(&children[next]);
                if number < least {
                    (chosen, least) = (next, number);
                }
                last = next;
            }
            _ => return chosen,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn workers_part_where_turns_are_about_as_good() {
        let child = |disproof| Child {
            key: Key { place: disproof, check: 0 },
            state: (),
            numbers: Numbers { proof: 9, disproof: disproof as u32 },
        };
        let children = [8, 5, 7, 6, 20].map(child);
        // Workers below the children with these numbers.
        let go = |below: &[u64], most: u32| {
            let workers = |child: &Child<()>| below.iter().filter(|&&place| place == child.key.place).count() as u32;
            children[part(&children, 1, most, workers)].numbers.disproof
        };
        assert_eq!((go(&[], 99), go(&[8, 6], 99)), (5, 5));
        assert_eq!((go(&[5], 99), go(&[5, 5], 99), go(&[5, 5, 6], 99)), (5, 6, 5));
        assert_eq!(go(&[5, 5, 5, 6, 6], 99), 7);
        // Not to one that would be left at once.
        assert_eq!((go(&[5, 5], 6), go(&[5, 5, 5, 6, 6], 7)), (5, 5));
        assert_eq!(go(&[5; 40], 99), 6);
        assert_eq!(go(&[[5; 40], [6; 40], [7; 40], [8; 40]].concat(), 99), 20);
    }
}
