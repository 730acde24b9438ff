//! The use that a search makes of its time, on a clock that stands still: each evaluation takes what its test says.

use super::clock::simulated::{Simulated, pass};
use super::written::{AsWritten, Place, Spot, open};
use super::{Clock, Control, Limits, Parameters, Report, Search, Settings, clock};
use crate::games::{Game, Side};
use std::ops::Range;
use std::time::Duration;

/// White's first step is better by far.
const CLEAR: &[Spot] = &[open(4, &[1, 2]), open(7, &[]), open(1, &[])];
/// Two steps are worth the same.
const EVEN: &[Spot] = &[open(4, &[1, 2]), open(4, &[]), open(4, &[])];
/// There is one step.
const FORCED: &[Spot] = &[open(4, &[1]), open(4, &[])];

/// A search on a clock of its own.
struct Watched {
    search: Search<Place, AsWritten>,
    _clock: Simulated,
}

impl Watched {
    /// A search in which an evaluation takes `micros` microseconds.
    fn new(micros: u64) -> Self {
        let (evaluator, settings) = (AsWritten::default(), Settings { hash: 1, ..Settings::default() });
        let mut watched = Self { search: Search::new(evaluator, settings).unwrap(), _clock: Simulated::new() };
        // Bundles go deeper and deeper where each turn is forced.
        watched.search.set_parameters(Parameters { bundle_most: 1.0, ..Parameters::default() });
        watched.takes(micros);
        watched
    }

    fn takes(&mut self, micros: u64) {
        self.search.evaluator.takes = Duration::from_micros(micros);
    }

    /// Milliseconds of a search from nothing.
    fn time(&mut self, spots: &'static [Spot], limits: &Limits<Place>) -> u128 {
        self.time_with(spots, limits, &Control::default(), &mut |_| ())
    }

    fn time_with(
        &mut self,
        spots: &'static [Spot],
        limits: &Limits<Place>,
        control: &Control,
        reporter: &mut (dyn FnMut(&Report<Place>) + Send),
    ) -> u128 {
        self.search.clear();
        let began = clock::now();
        let report = self.search.run(&Game::new(Place::root(spots, Side::White)), limits, control, reporter);
        assert!(report.last && report.lines[0].turns[0].len() == 1);
        clock::since(began).as_millis()
    }
}

fn millis(time: u64) -> Duration {
    Duration::from_millis(time)
}

fn move_time(time: u64) -> Limits<Place> {
    Limits { move_time: Some(millis(time)), ..Limits::default() }
}

/// A clock with `time` milliseconds. The side to move thinks that it has ten turns ahead.
fn clocked(time: u64, increment: u64, moves_to_go: Option<u32>) -> Limits<Place> {
    let clock = Clock { time: millis(time), increment: millis(increment), moves_to_go };
    Limits { clock: Some(clock), ..Limits::default() }
}

/// The limits are looked at every sixteen simulations, which take a millisecond each.
fn about(time: u128) -> Range<u128> {
    time..time + 18
}

#[test]
fn a_time_for_the_turn_is_used_up_even_if_the_choice_is_clear() {
    let mut search = Watched::new(1_000);
    for spots in [CLEAR, EVEN, FORCED] {
        let time = search.time(spots, &move_time(500));
        assert!(about(500).contains(&time), "{time}");
    }
    let time = search.time(CLEAR, &Limits { overhead: millis(30), ..move_time(500) });
    assert!(about(470).contains(&time), "{time}");
}

#[test]
fn an_open_choice_takes_its_share_of_the_clock() {
    let mut search = Watched::new(1_000);
    for (limits, share) in [
        (clocked(10_000, 0, None), 1_000),
        (clocked(10_000, 400, None), 1_300),
        // No more than 35 % of what is left …
        (clocked(1_000, 800, None), 350),
        (clocked(2_000, 0, Some(4)), 500),
        // … but for the last turn before more comes.
        (clocked(1_000, 0, Some(1)), 850),
        // Both limits hold.
        (Limits { move_time: Some(millis(600)), ..clocked(10_000, 0, None) }, 600),
        (Limits { move_time: Some(millis(600)), ..clocked(1_000, 0, None) }, 100),
    ] {
        let time = search.time(EVEN, &limits);
        assert!(about(share).contains(&time), "{time}, not {share}");
    }
}

#[test]
fn a_clear_choice_ends_the_turn_when_the_others_cannot_catch_up() {
    let mut search = Watched::new(1_000);
    // After half of the time it leads by as many visits as are left.
    let time = search.time(CLEAR, &clocked(10_000, 0, None));
    assert!((470..560).contains(&time), "{time}");
    // Nothing is to be decided.
    let time = search.time(FORCED, &clocked(10_000, 0, None));
    assert!(time < 40, "{time}");
}

#[test]
fn pondering_takes_none_of_the_time() {
    let mut search = Watched::new(1_000);
    let limits = Limits { ponder: true, ..clocked(10_000, 0, None) };
    let (control, began) = (Control::new(true), clock::now());
    let mut hit = 0;
    let mut reporter = |_: &Report<Place>| {
        if hit == 0 && clock::since(began) > millis(2_500) {
            control.ponder_hit();
            hit = clock::since(began).as_millis();
        }
    };
    let time = search.time_with(EVEN, &limits, &control, &mut reporter);
    assert!(hit >= 2_500 && about(1_000).contains(&(time - hit)), "{time} after {hit}");
}

#[test]
fn an_infinite_search_has_all_the_time_there_is() {
    let mut search = Watched::new(1_000);
    for limits in [move_time(100), clocked(1_000, 0, Some(1))] {
        let (control, began) = (Control::default(), clock::now());
        let mut reporter = |_: &Report<Place>| {
            if clock::since(began) > millis(2_500) {
                control.stop();
            }
        };
        let time = search.time_with(CLEAR, &Limits { infinite: true, ..limits }, &control, &mut reporter);
        assert!(time > 2_500, "{time}");
    }
}

#[test]
fn work_beside_a_search_takes_a_quarter_of_the_time() {
    let search = Watched::new(1_000).search;
    let _clock = Simulated::new();
    // A thousand positions take a millisecond.
    let beside = |limits: &Limits<Place>, control: &Control| {
        let began = clock::now();
        search.beside(&Game::new(Place::root(EVEN, Side::White)), limits, control, |work| {
            while work.spend(1_000) {
                pass(millis(1));
            }
        });
        clock::since(began).as_millis()
    };
    let free = Control::default();
    for (limits, time) in [
        (move_time(400), 100),
        (clocked(10_000, 0, None), 250),
        // Sixteen positions for each node, and ten thousand in any case.
        (Limits { nodes: Some(5_000), ..Limits::default() }, 80),
        (Limits { nodes: Some(5), ..Limits::default() }, 10),
        (Limits { nodes: Some(5_000), infinite: true, ..move_time(4) }, 80),
    ] {
        assert_eq!(beside(&limits, &free), time);
    }
    // While it ponders no time counts, but nodes do.
    let limits = Limits { ponder: true, nodes: Some(5_000), ..move_time(4) };
    assert_eq!(beside(&limits, &Control::new(true)), 80);
    let stopped = Control::default();
    stopped.stop();
    assert_eq!(beside(&move_time(400), &stopped), 0);
    // Time lost before it began is lost.
    let ordered = Some(clock::now());
    pass(millis(60));
    assert_eq!(beside(&Limits { ordered, ..move_time(400) }, &free), 40);
}

#[test]
fn work_beside_a_search_leaves_room_for_delays() {
    let mut watched = Watched::new(500);
    let ordered = Some(clock::now());
    pass(millis(60));
    watched.time(EVEN, &Limits { ordered, ..move_time(500) });
    let (game, began) = (Game::new(Place::root(EVEN, Side::White)), clock::now());
    watched.search.beside(&game, &move_time(400), &Control::default(), |work| {
        while work.spend(1_000) {
            pass(millis(1));
        }
    });
    // A quarter of what the last delay leaves, but for the ten milliseconds that are usual.
    assert_eq!(clock::since(began).as_millis(), 88);
}

#[test]
fn time_counts_from_the_order() {
    let mut search = Watched::new(1_000);
    let ordered = Some(clock::now());
    pass(millis(200));
    let time = search.time(EVEN, &Limits { ordered, ..move_time(500) });
    assert!(about(300).contains(&time), "{time}");
}

#[test]
fn a_late_answer_makes_the_next_turns_shorter() {
    // A batch of sixteen takes 60 ms and more.
    let mut search = Watched::new(4_000);
    let late = search.time(EVEN, &move_time(500)) - 500;
    assert!((20..80).contains(&late), "{late}");
    search.takes(200);
    // Ten milliseconds are usual.
    let time = search.time(EVEN, &move_time(500));
    assert!((510 - late..515 - late).contains(&time), "{time} after {late}");
    // It is forgotten slowly.
    let later = (0..8).map(|_| search.time(EVEN, &move_time(500))).last();
    assert!(later.is_some_and(|later| time < later), "{later:?} after {time}");
}

#[test]
fn a_late_beginning_makes_the_next_turns_shorter() {
    let mut search = Watched::new(500);
    let ordered = Some(clock::now());
    pass(millis(60));
    search.time(EVEN, &Limits { ordered, ..move_time(500) });
    let time = search.time(EVEN, &move_time(500));
    assert!((450..460).contains(&time), "{time}");
    // A delay that the overhead covers is no reason.
    let mut search = Watched::new(500);
    let ordered = Some(clock::now());
    pass(millis(60));
    search.time(EVEN, &Limits { ordered, overhead: millis(60), ..move_time(500) });
    let time = search.time(EVEN, &move_time(500));
    assert!((500..510).contains(&time), "{time}");
}

#[test]
fn lateness_is_none_without_a_limit_on_time() {
    let mut search = Watched::new(500);
    let ordered = Some(clock::now());
    pass(millis(60));
    search.time(EVEN, &Limits { ordered, nodes: Some(100), ..Limits::default() });
    let time = search.time(EVEN, &move_time(500));
    assert!((500..510).contains(&time), "{time}");
}

#[test]
fn a_clock_lasts_for_a_whole_game() {
    for increment in [0, 20] {
        let mut search = Watched::new(200);
        let mut left = 1_000;
        for turn in 0..80 {
            // Between engine and clock four milliseconds are lost.
            let limits = Limits { overhead: millis(10), ..clocked(left, increment, None) };
            let used = search.time(EVEN, &limits) as u64 + 4;
            assert!(used <= left, "{used} of {left} at turn {turn}");
            left = left - used + increment;
            if left < 20 {
                assert!(increment == 0 && turn > 30, "{left} at turn {turn}");
                break;
            }
        }
    }
}
