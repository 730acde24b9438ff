use hippolyta::engine::Clocks;
use hippolyta::games::Side;
use std::time::Duration;

/// The time control that `time_settings` sets, and what is left of it in this game. GTP counts plays, of which a turn
/// has several.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Timer {
    /// The length of a period, and the plays that it must last for; zeros if the main time is all.
    period: (Duration, u32),
    /// The time that each side begins a game with; `None` if time is not limited.
    start: Option<Left>,
    /// The time that each side has left; `None` if time is not limited.
    left: Option<[Left; 2]>,
}

/// The time that one side has left.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Left {
    time: Duration,
    /// The plays that this must last for; 0 in main time.
    plays: u32,
}

impl Timer {
    /// Obeys `time_settings`: seconds of main time, seconds of a period and the plays in it. As GTP has it, a period
    /// without plays means that time is not limited.
    pub fn set(&mut self, main: Duration, period: Duration, plays: u32) {
        let unlimited = plays == 0 && (!period.is_zero() || main.is_zero());
        let left = if main.is_zero() { Left { time: period, plays } } else { Left { time: main, plays: 0 } };
        *self = Self { period: (period, plays), start: (!unlimited).then_some(left), left: None };
        self.begin();
    }

    /// A new game begins, with whole clocks: GoGui sends `time_settings` again only when they have changed.
    pub fn begin(&mut self) {
        self.left = self.start.map(|left| [left; 2]);
    }

    /// Obeys `time_left`.
    pub fn set_left(&mut self, side: Side, time: Duration, plays: u32) {
        let unknown = Left { time, plays };
        if let Some(left) = self.left.get_or_insert([unknown; 2]).get_mut(side.index()) {
            *left = unknown;
        }
    }

    /// The clock of `side` where a turn has about `plays_a_turn` plays; `None` if time is not limited.
    pub fn clocks(&self, side: Side, plays_a_turn: u32) -> Option<Clocks> {
        let left = self.left?.get(side.index()).copied()?;
        let mut clocks = Clocks::default();
        if let Some(time) = clocks.time.get_mut(side.index()) {
            *time = Some(left.time);
        }
        if left.plays > 0 {
            clocks.moves_to_go = Some(left.plays.div_ceil(plays_a_turn));
        } else if let (period, plays @ 1..) = self.period {
            // Periods follow the main time, so that each turn brings its share of one.
            clocks.increment = [period * plays_a_turn / plays; 2];
        }
        Some(clocks)
    }

    /// Takes off what one play of `side` has cost, until `time_left` says better.
    pub fn spend(&mut self, side: Side, time: Duration) {
        let (period, plays) = self.period;
        let Some(left) = self.left.as_mut().and_then(|left| left.get_mut(side.index())) else { return };
        left.time = left.time.saturating_sub(time);
        let is_used_up = if left.plays > 0 { left.plays == 1 } else { left.time.is_zero() };
        left.plays = left.plays.saturating_sub(1);
        if is_used_up && plays > 0 {
            *left = Left { time: period, plays };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    /// White's time, increment and turns to go.
    fn white(timer: &Timer) -> Option<(Duration, Duration, Option<u32>)> {
        let clocks = timer.clocks(Side::White, 3)?;
        Some((clocks.time[0].unwrap(), clocks.increment[0], clocks.moves_to_go))
    }

    #[test]
    fn main_time_comes_before_periods() {
        let mut timer = Timer::default();
        assert_eq!(white(&timer), None);
        timer.set(10 * SECOND, 30 * SECOND, 9);
        assert_eq!(white(&timer), Some((10 * SECOND, 10 * SECOND, None)));
        timer.spend(Side::White, 4 * SECOND);
        assert_eq!(white(&timer), Some((6 * SECOND, 10 * SECOND, None)));
        timer.spend(Side::White, 7 * SECOND);
        assert_eq!(white(&timer), Some((30 * SECOND, Duration::ZERO, Some(3))));
        for _ in 0..8 {
            timer.spend(Side::White, SECOND);
        }
        assert_eq!(white(&timer), Some((22 * SECOND, Duration::ZERO, Some(1))));
        timer.spend(Side::White, SECOND);
        assert_eq!(white(&timer), Some((30 * SECOND, Duration::ZERO, Some(3))));
    }

    #[test]
    fn a_new_game_begins_with_whole_clocks() {
        let mut timer = Timer::default();
        timer.set(10 * SECOND, 30 * SECOND, 9);
        timer.spend(Side::White, 11 * SECOND);
        timer.set_left(Side::Black, SECOND, 2);
        timer.begin();
        for side in [Side::White, Side::Black] {
            let clocks = timer.clocks(side, 3).unwrap();
            assert_eq!((clocks.time[side.index()], clocks.moves_to_go), (Some(10 * SECOND), None));
        }
        // The `time_left` of another game is no limit of this one.
        timer.set(Duration::ZERO, Duration::ZERO, 0);
        timer.set_left(Side::White, SECOND, 0);
        timer.begin();
        assert_eq!(white(&timer), None);
    }

    #[test]
    fn time_is_unlimited_where_gtp_says_so() {
        let mut timer = Timer::default();
        timer.set(5 * SECOND, Duration::ZERO, 0);
        assert_eq!(white(&timer), Some((5 * SECOND, Duration::ZERO, None)));
        timer.spend(Side::White, 9 * SECOND);
        assert_eq!(white(&timer), Some((Duration::ZERO, Duration::ZERO, None)));
        timer.set(Duration::ZERO, SECOND, 0);
        assert_eq!(white(&timer), None);
        timer.set_left(Side::White, 7 * SECOND, 4);
        assert_eq!(white(&timer), Some((7 * SECOND, Duration::ZERO, Some(2))));
    }
}
