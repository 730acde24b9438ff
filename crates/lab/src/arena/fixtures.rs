//! Which game comes next. Where pairings depend on results they are made batch by batch, from the stored results and
//! the seed alone: a match that is resumed goes on with the same ones.

use super::schedule::{Fixture, Format, MOST_EXTRA, Schedule};
use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;

/// Attempts at pairing a round of a Swiss tournament before a rematch is accepted.
const ATTEMPTS: u32 = 200_000;

/// The next thing to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// Play this game.
    Game(Fixture),
    /// Other games must end first.
    Wait,
    /// There is none left.
    Over,
}

/// The result of a game.
#[derive(Clone, Copy, Debug)]
struct Score {
    players: [usize; 2],
    /// White's half points.
    white: u64,
    margin: f64,
}

/// Match-ups that are played at a time.
#[derive(Clone, Debug)]
struct Batch {
    /// Who begins with White, and the other.
    pairs: Vec<[usize; 2]>,
    /// Who has nobody to play.
    bye: Option<usize>,
    /// Games of each pair.
    games: u64,
    /// The number of the first game.
    first: u64,
    /// The number of the first opening.
    opening: u64,
}

impl Batch {
    fn fixtures(&self, repeat: bool) -> impl Iterator<Item = Fixture> {
        let (first, opening, games) = (self.first, self.opening, self.games);
        self.pairs.iter().zip(0..).flat_map(move |(&[a, b], pair)| {
            (0..games).map(move |game| Fixture {
                game: first + pair * games + game,
                players: if game.is_multiple_of(2) { [a, b] } else { [b, a] },
                opening: opening + if repeat { game / 2 } else { game },
            })
        })
    }
}

/// The games of a tournament, in their order.
pub struct Fixtures {
    schedule: Schedule,
    scores: HashMap<u64, Score>,
    batches: Vec<Batch>,
    /// Games of the batches.
    fixtures: Vec<Fixture>,
    /// Those before this one were handed out, or were played before.
    at: u64,
    /// Finished games that were played by others than results call for. They are to be played again.
    strangers: HashSet<u64>,
}

/// The results of an engine so far in a Swiss tournament.
#[derive(Clone, Debug, Default)]
struct Seat {
    half_points: u64,
    margin: f64,
    games: u64,
    byes: u64,
    /// Games with White less games with Black.
    balance: i64,
    /// Whether it began its last match-up with White: 1, else −1.
    began: i64,
    met: HashMap<usize, u64>,
}

impl Fixtures {
    /// All games are to be played.
    pub fn new(schedule: Schedule) -> Self {
        let (scores, strangers) = (HashMap::new(), HashSet::new());
        Self { schedule, scores, batches: Vec::new(), fixtures: Vec::new(), at: 0, strangers }
    }

    /// A game is finished: `players` with White first, White's half points and, if it is known, margin.
    pub fn finish(&mut self, game: u64, players: [usize; 2], white: u64, margin: Option<f64>) {
        self.scores.insert(game, Score { players, white, margin: margin.unwrap_or(0.0) });
    }

    /// Forgets the finished games that were played by others than results call for, as far as these tell; their
    /// numbers.
    pub fn strangers(&mut self) -> HashSet<u64> {
        if self.schedule.format.depends_on_results() {
            while self.is_complete() && self.extend() {}
            let known = self.fixtures.len() as u64;
            self.strangers.extend(self.scores.keys().filter(|&&game| game >= known));
            self.scores.retain(|&game, _| game < known);
        }
        std::mem::take(&mut self.strangers)
    }

    /// The next game. It is not handed out again.
    pub fn draw(&mut self) -> Next {
        if !self.schedule.format.depends_on_results() {
            while self.at < self.schedule.len() {
                self.at += 1;
                if !self.scores.contains_key(&(self.at - 1)) {
                    return Next::Game(self.schedule.fixture(self.at - 1));
                }
            }
            return Next::Over;
        }
        loop {
            while let Some(&fixture) = self.fixtures.get(self.at as usize) {
                self.at += 1;
                if !self.scores.contains_key(&fixture.game) {
                    return Next::Game(fixture);
                }
            }
            if !self.is_complete() {
                return Next::Wait;
            }
            if !self.extend() {
                return Next::Over;
            }
        }
    }

    /// Whether all games of all batches are finished.
    fn is_complete(&self) -> bool {
        let first = self.batches.last().map_or(0, |batch| batch.first as usize);
        self.fixtures[first..].iter().all(|fixture| self.scores.contains_key(&fixture.game))
    }

    /// Makes the next batch, if there is one.
    fn extend(&mut self) -> bool {
        let last = self.batches.last();
        let used = |batch: &Batch| if self.schedule.repeat { batch.games.div_ceil(2) } else { batch.games };
        let (first, opening) = (self.fixtures.len() as u64, last.map_or(0, |batch| batch.opening + used(batch)));
        let found = match self.schedule.format {
            Format::Swiss if (self.batches.len() as u64) < self.schedule.rounds => Some(self.swiss_round()),
            Format::Knockout => self.knockout().0,
            _ => None,
        };
        let Some((pairs, bye, games)) = found else { return false };
        let batch = Batch { pairs, bye, games, first, opening };
        for fixture in batch.fixtures(self.schedule.repeat) {
            if self.scores.get(&fixture.game).is_some_and(|score| score.players != fixture.players) {
                self.scores.remove(&fixture.game);
                self.strangers.insert(fixture.game);
            }
            self.fixtures.push(fixture);
        }
        self.batches.push(batch);
        true
    }

    /// Half points and margin of the first of two engines in the pair with this number of a batch, and of the other.
    fn result(&self, batch: &Batch, pair: usize) -> ([u64; 2], f64) {
        let [a, _] = batch.pairs[pair];
        let (mut points, mut margin) = ([0, 0], 0.0);
        let first = batch.first + pair as u64 * batch.games;
        for score in (first..first + batch.games).filter_map(|game| self.scores.get(&game)) {
            let (own, sign) = if score.players[0] == a { (0, 1.0) } else { (1, -1.0) };
            points[own] += score.white;
            points[1 - own] += 2 - score.white.min(2);
            margin += sign * score.margin;
        }
        (points, margin)
    }

    /// Draws that only the seed decides.
    fn coin(&self, round: usize, board: usize) -> bool {
        (self.schedule.seed.wrapping_add((round + board) as u64)).is_multiple_of(2)
    }

    fn seats(&self) -> Vec<Seat> {
        let mut seats = vec![Seat::default(); self.schedule.engines];
        for batch in &self.batches {
            if let Some(bye) = batch.bye {
                seats[bye].half_points += 2 * batch.games;
                seats[bye].byes += 1;
            }
            for (number, &[a, b]) in batch.pairs.iter().enumerate() {
                let (points, margin) = self.result(batch, number);
                let odd = (batch.games % 2) as i64;
                for (own, other, place, sign) in [(a, b, 0, 1), (b, a, 1, -1)] {
                    let seat = &mut seats[own];
                    seat.half_points += points[place];
                    seat.margin += f64::from(sign as i32) * margin;
                    seat.games += batch.games;
                    seat.balance += sign * odd;
                    seat.began = sign;
                    *seat.met.entry(other).or_default() += 1;
                }
            }
        }
        seats
    }

    /// All engines, the best first: by points, then by margin, then in the order in which they were given.
    fn ranking(seats: &[Seat]) -> Vec<usize> {
        let mut order: Vec<_> = (0..seats.len()).collect();
        order.sort_by(|&a, &b| {
            let (x, y) = (&seats[a], &seats[b]);
            y.half_points.cmp(&x.half_points).then(y.margin.total_cmp(&x.margin)).then(a.cmp(&b))
        });
        order
    }

    /// Pairs of engines with like scores that have not met, with colours that balance; if they are odd in number, the
    /// last that had no bye has one.
    fn swiss_round(&self) -> (Vec<[usize; 2]>, Option<usize>, u64) {
        let (seats, round) = (self.seats(), self.batches.len());
        let order = Self::ranking(&seats);
        let mut byes: Vec<_> =
            if order.len() % 2 == 1 { order.iter().rev().map(|&seat| Some(seat)).collect() } else { vec![None] };
        byes.sort_by_key(|bye| bye.map_or(0, |seat| seats[seat].byes));
        // Twice only where there is no other way.
        let (pairs, bye) = (0..)
            .find_map(|most| {
                byes.iter().find_map(|&bye| {
                    let left: Vec<_> = order.iter().copied().filter(|&seat| Some(seat) != bye).collect();
                    let mut search = Search { seats: &seats, most, attempts: ATTEMPTS, failed: HashSet::new() };
                    search.pair_up(&left).map(|pairs| (pairs, bye))
                })
            })
            .unwrap_or_default();
        let coloured = pairs.into_iter().enumerate().map(|(board, [a, b])| {
            let (x, y) = (&seats[a], &seats[b]);
            let swap = match x.balance.cmp(&y.balance).then(x.began.cmp(&y.began)) {
                std::cmp::Ordering::Less => false,
                std::cmp::Ordering::Greater => true,
                std::cmp::Ordering::Equal => !self.coin(round, board),
            };
            if swap { [b, a] } else { [a, b] }
        });
        (coloured.collect(), bye, self.schedule.games)
    }

    /// The next batch of a knockout, and all match-ups that are decided: round, winner, loser, their half points and
    /// the winner's margin. The first engine is the favourite, and so on; favourites meet late.
    #[allow(clippy::type_complexity, reason = "once, and private")]
    fn knockout(&self) -> (Option<(Vec<[usize; 2]>, Option<usize>, u64)>, Vec<Decided>) {
        let mut alive = bracket(self.schedule.engines);
        let mut decided = Vec::new();
        let (mut used, mut round) = (0, 0);
        while alive.len() > 1 {
            let pairs: Vec<[usize; 2]> = alive.chunks_exact(2).filter_map(|pair| Some([pair[0]?, pair[1]?])).collect();
            let mut tallies = vec![([0, 0], 0.0); pairs.len()];
            let mut open: Vec<usize> = (0..pairs.len()).collect();
            let mut extra = 0;
            while !open.is_empty() && extra <= MOST_EXTRA {
                let Some(batch) = self.batches.get(used) else {
                    let turned = |&match_up: &usize| {
                        let [a, b] = pairs[match_up];
                        if self.coin(round, match_up) { [a, b] } else { [b, a] }
                    };
                    let games = if extra == 0 { self.schedule.games } else { 2 };
                    return (Some((open.iter().map(turned).collect(), None, games)), decided);
                };
                for (place, &match_up) in open.iter().enumerate() {
                    let (points, margin) = self.result(batch, place);
                    let is_same = batch.pairs.get(place).is_some_and(|pair| pair[0] == pairs[match_up][0]);
                    let (points, margin) = if is_same { (points, margin) } else { ([points[1], points[0]], -margin) };
                    let (sums, all) = &mut tallies[match_up];
                    *sums = [sums[0] + points[0], sums[1] + points[1]];
                    *all += margin;
                }
                open.retain(|&match_up| tallies[match_up].0[0] == tallies[match_up].0[1] && tallies[match_up].1 == 0.0);
                used += 1;
                extra += 1;
            }
            let mut found = pairs.iter().zip(&tallies).map(|(&[a, b], &([x, y], margin))| {
                // The favourite goes on if nothing tells them apart.
                let first = x.cmp(&y).then(margin.total_cmp(&0.0)).then(b.cmp(&a)).is_gt();
                if first {
                    Decided { round, players: [a, b], half_points: [x, y], margin }
                } else {
                    Decided { round, players: [b, a], half_points: [y, x], margin: -margin }
                }
            });
            let mut winners = Vec::new();
            for pair in alive.chunks_exact(2) {
                winners.push(match (pair[0], pair[1]) {
                    (Some(_), Some(_)) => found.next().map(|one| {
                        decided.push(one);
                        one.players[0]
                    }),
                    (one, other) => one.or(other),
                });
            }
            alive = winners;
            round += 1;
        }
        (None, decided)
    }

    /// How the tournament stands, in lines for people: only where the table of all games does not tell.
    pub fn standing(&self, names: &[String]) -> Vec<String> {
        match self.schedule.format {
            Format::RoundRobin | Format::Gauntlet => Vec::new(),
            Format::Swiss => {
                let seats = self.seats();
                let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(6);
                let mut lines = vec![format!("Swiss, round {} of {}", self.batches.len().max(1), self.schedule.rounds)];
                lines.push(format!("Rank {:<width$} {:>7} {:>7} {:>9}", "Name", "Points", "Games", "Margin"));
                for (place, seat) in Self::ranking(&seats).into_iter().enumerate() {
                    let Seat { half_points, margin, games, byes, .. } = &seats[seat];
                    let (name, points) = (&names[seat], *half_points as f64 / 2.0);
                    let mut line = format!("{:>4} {name:<width$} {points:>7.1} {games:>7} {margin:>+9.1}", place + 1);
                    if *byes > 0 {
                        let _ = write!(line, "  {byes} bye{}", if *byes > 1 { "s" } else { "" });
                    }
                    lines.push(line);
                }
                lines
            }
            Format::Knockout => {
                let (next, decided) = self.knockout();
                let mut lines: Vec<_> = decided.iter().map(|one| self.line(one, names)).collect();
                if let (None, Some(last)) = (next, decided.last()) {
                    lines.push(format!("Winner: {}", names[last.players[0]]));
                }
                lines
            }
        }
    }

    fn line(&self, one: &Decided, names: &[String]) -> String {
        let [winner, loser] = one.players.map(|engine| &names[engine]);
        let [x, y] = one.half_points.map(|half| half as f64 / 2.0);
        let round = match self.schedule.rounds.saturating_sub(one.round as u64) {
            0 | 1 => "Final".to_owned(),
            2 => "Semi-final".to_owned(),
            _ => format!("Round {}", one.round + 1),
        };
        let by = match () {
            () if x > y => String::new(),
            () if one.margin > 0.0 => format!(" by margin {:+.1}", one.margin),
            () => " as the favourite".to_owned(),
        };
        format!("{round}: {winner} beats {loser} {x}-{y}{by}")
    }
}

/// A match-up of a knockout that is over, the winner first.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Decided {
    round: usize,
    players: [usize; 2],
    half_points: [u64; 2],
    margin: f64,
}

/// The places of a knockout: neighbours meet. Favourites that have nobody to meet in the first round rest.
fn bracket(engines: usize) -> Vec<Option<usize>> {
    let mut places = vec![0];
    while places.len() < engines {
        let all = 2 * places.len();
        places = places.into_iter().flat_map(|place| [place, all - 1 - place]).collect();
    }
    places.into_iter().map(|place| (place < engines).then_some(place)).collect()
}

/// A search for pairs by trial and error.
struct Search<'a> {
    seats: &'a [Seat],
    /// How often two may have met.
    most: u64,
    attempts: u32,
    /// Who cannot be paired among themselves.
    failed: HashSet<Vec<usize>>,
}

impl Search<'_> {
    /// Pairs all of `order`, an even number of engines with the best first. Each meets one of its own score if
    /// possible, the upper half of a group the lower one, and colours should fit.
    fn pair_up(&mut self, order: &[usize]) -> Option<Vec<[usize; 2]>> {
        let Some((&top, rest)) = order.split_first() else { return Some(Vec::new()) };
        if self.attempts == 0 || self.failed.contains(order) {
            return None;
        }
        self.attempts -= 1;
        let seat = &self.seats[top];
        let points = |engine: usize| self.seats[engine].half_points;
        let group = order.iter().take_while(|&&engine| points(engine) == points(top)).count();
        let ideal = (group / 2).saturating_sub(1);
        let met = |engine: usize| seat.met.get(&engine).copied().unwrap_or(0);
        let clash = |engine: usize| self.seats[engine].balance * seat.balance > 0;
        let mut places: Vec<_> = (0..rest.len()).filter(|&place| met(rest[place]) <= self.most).collect();
        places.sort_by_key(|&place| {
            let engine = rest[place];
            (met(engine), points(top) - points(engine), clash(engine), place.abs_diff(ideal), place)
        });
        for place in places {
            let left: Vec<_> = rest.iter().copied().filter(|&engine| engine != rest[place]).collect();
            if let Some(mut pairs) = self.pair_up(&left) {
                pairs.insert(0, [top, rest[place]]);
                return Some(pairs);
            }
        }
        self.failed.insert(order.to_vec());
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn schedule(format: Format, engines: usize, rounds: u64, games: u64) -> Schedule {
        Schedule { engines, format, rounds, games, repeat: true, seed: 1 }
    }

    /// Plays all games, White's half points and margin from `score`; the fixtures in their order.
    fn play(fixtures: &mut Fixtures, score: &dyn Fn([usize; 2]) -> (u64, f64)) -> Vec<Fixture> {
        let mut played = Vec::new();
        let mut running: Vec<Fixture> = Vec::new();
        loop {
            match fixtures.draw() {
                Next::Game(fixture) => {
                    played.push(fixture);
                    running.push(fixture);
                }
                // The last that began ends first.
                Next::Wait => {
                    let fixture = running.pop().expect("games that are waited for");
                    let (white, margin) = score(fixture.players);
                    fixtures.finish(fixture.game, fixture.players, white, Some(margin));
                }
                Next::Over => return played,
            }
        }
    }

    /// The lower number wins.
    fn by_number([a, b]: [usize; 2]) -> (u64, f64) {
        if a < b { (2, 1.5) } else { (0, -1.5) }
    }

    #[test]
    fn nobody_meets_twice_in_a_swiss_tournament_while_there_is_another_way() {
        for engines in 2..=11 {
            let most = if engines % 2 == 0 { engines - 1 } else { engines };
            let mut fixtures = Fixtures::new(schedule(Format::Swiss, engines, most as u64, 1));
            let played = play(&mut fixtures, &by_number);
            assert_eq!(played.len(), most * (engines / 2));
            let mut met = HashSet::new();
            for fixture in &played {
                let [a, b] = fixture.players;
                assert!(met.insert([a.min(b), a.max(b)]), "{engines} engines: {a} and {b}");
            }
            // As many rounds as there are others: everybody has met everybody, and rested once at most.
            assert_eq!(met.len(), engines * (engines - 1) / 2);
            let seats = fixtures.seats();
            assert!(seats.iter().all(|seat| seat.byes == (engines % 2) as u64), "{seats:?}");
            assert_eq!(Fixtures::ranking(&seats), (0..engines).collect::<Vec<_>>());
        }
        // One round more than that: somebody must meet again.
        let mut fixtures = Fixtures::new(schedule(Format::Swiss, 4, 4, 2));
        assert_eq!(play(&mut fixtures, &by_number).len(), 16);
    }

    #[test]
    fn scores_and_colours_decide_who_meets() {
        let mut fixtures = Fixtures::new(schedule(Format::Swiss, 8, 4, 1));
        let played = play(&mut fixtures, &by_number);
        let round = |number: usize| {
            let mut pairs: Vec<_> = played[4 * number..4 * number + 4].iter().map(|f| f.players).collect();
            pairs.iter_mut().for_each(|pair| pair.sort_unstable());
            pairs.sort_unstable();
            pairs
        };
        // The upper half meets the lower one, then winners meet winners that had the other colour.
        assert_eq!(round(0), [[0, 4], [1, 5], [2, 6], [3, 7]]);
        assert_eq!(round(1), [[0, 1], [2, 3], [4, 5], [6, 7]]);
        let seats = fixtures.seats();
        assert!(seats.iter().all(|seat| seat.balance.abs() <= 2), "{seats:?}");
        let text = fixtures.standing(&(0..8).map(|n| format!("engine {n}")).collect::<Vec<_>>()).join("\n");
        assert!(
            text.starts_with("Swiss, round 4 of 4\nRank Name") && text.contains("   1 engine 0     4.0       4"),
            "{text}"
        );
    }

    #[test]
    fn pairings_depend_on_the_stored_results_and_the_seed_alone() {
        for format in [Format::Swiss, Format::Knockout] {
            let schedule = schedule(format, 7, 3, 2);
            // Draws, and margins that tell nobody apart, as well.
            let score = |[a, b]: [usize; 2]| match (a * 7 + b * 3) % 4 {
                0 => (2, 1.0),
                1 => (0, -1.0),
                _ => (1, 0.0),
            };
            let whole = play(&mut Fixtures::new(schedule), &score);
            // Any of the games that could have been finished when it was killed; the others are played then.
            for kept in 0..whole.len() {
                let mut fixtures = Fixtures::new(schedule);
                for fixture in whole.iter().take(kept).rev() {
                    let (white, margin) = score(fixture.players);
                    fixtures.finish(fixture.game, fixture.players, white, Some(margin));
                }
                assert_eq!(play(&mut fixtures, &score), whole[kept..], "{format:?} after {kept}");
            }
            let mut strange = Fixtures::new(schedule);
            let [a, b] = whole[0].players;
            strange.finish(0, [b, a], 1, None);
            assert_eq!(strange.strangers(), HashSet::from([0]));
            assert_eq!(strange.draw(), Next::Game(whole[0]));
        }
    }

    #[test]
    fn favourites_of_a_knockout_meet_late_and_the_best_wins() {
        assert_eq!(bracket(8), [0, 7, 3, 4, 1, 6, 2, 5].map(Some));
        assert_eq!(bracket(3), [Some(0), None, Some(1), Some(2)]);
        for engines in 2..=9_usize {
            let names: Vec<_> = (0..engines).map(|n| format!("e{n}")).collect();
            let rounds = engines.next_power_of_two().trailing_zeros().into();
            let mut fixtures = Fixtures::new(schedule(Format::Knockout, engines, rounds, 2));
            assert_eq!(play(&mut fixtures, &by_number).len(), 2 * (engines - 1));
            let lines = fixtures.standing(&names);
            assert_eq!(lines.len(), engines);
            assert_eq!(lines[engines - 2..], ["Final: e0 beats e1 2-0".to_owned(), "Winner: e0".to_owned()]);
        }
    }

    #[test]
    fn margins_break_ties_of_a_knockout_and_then_more_games() {
        let names = ["a", "b"].map(str::to_owned);
        // White always wins, but the second engine by more.
        let mut fixtures = Fixtures::new(schedule(Format::Knockout, 2, 1, 2));
        let played = play(&mut fixtures, &|[white, _]| (2, if white == 1 { 5.5 } else { 2.5 }));
        assert_eq!(played.len(), 2);
        assert_eq!(fixtures.standing(&names), ["Final: b beats a 1-1 by margin +3.0", "Winner: b"]);
        // By as much: pairs of games follow, each with an opening of its own, and in the end the favourite goes on.
        let mut fixtures = Fixtures::new(schedule(Format::Knockout, 2, 1, 4));
        let played = play(&mut fixtures, &|_| (2, 2.5));
        assert_eq!(played.len() as u64, 4 + 2 * MOST_EXTRA);
        let openings: Vec<_> = played.iter().map(|fixture| fixture.opening).collect();
        assert_eq!(openings, [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5]);
        assert_eq!(fixtures.standing(&names), ["Final: a beats b 6-6 as the favourite", "Winner: a"]);
    }

    #[test]
    fn fixed_schedules_skip_what_was_played() {
        let mut fixtures = Fixtures::new(schedule(Format::RoundRobin, 3, 2, 2));
        fixtures.finish(1, [1, 0], 2, None);
        let mut numbers = Vec::new();
        while let Next::Game(fixture) = fixtures.draw() {
            numbers.push(fixture.game);
        }
        assert_eq!(numbers, [0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
        assert!(fixtures.standing(&[]).is_empty());
    }
}
