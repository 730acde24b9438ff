//! When an engine gives a game up.

use super::counter::decided;
use super::owned::rounded;
use super::strength::STRENGTHS;
use crate::games::variant::Variant;
use crate::games::{Board, Outcome};
use crate::search::Score;
use serde::{Serialize, Serializer};

/// When it gives a game up.
///
/// ```
/// use hippolyta::engine::Patience;
/// use hippolyta::games::variant;
///
/// let amazons = &variant::find("amazons")?;
/// assert_eq!(Patience::of(amazons, None).lost, 1); // at full strength
/// assert!(Patience::of(amazons, Some(600)).lost > 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// A weak engine plays on for longer: its weak opponent may still err.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "ResignsInfo"))]
pub struct Patience {
    /// When it has been certain at this many of its turns in a row that it loses,
    pub lost: u32,
    /// and when its `winrate` was this or less
    #[serde(rename = "winrate", serialize_with = "shown")]
    #[cfg_attr(feature = "schema", schemars(with = "f64", range(min = 0, max = 1)))]
    pub score: f32,
    /// at this many of its turns in a row.
    pub hopeless: u32,
}

fn shown<S: Serializer>(score: &f32, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(rounded(*score))
}

/// Of each of [`STRENGTHS`], the weakest first.
const PATIENCE: [Patience; STRENGTHS.len()] = [
    patience(8, 0.0, 8),
    patience(6, 0.0, 6),
    patience(5, 0.0, 5),
    patience(4, 0.005, 5),
    patience(3, 0.01, 5),
    patience(2, 0.01, 4),
    patience(1, 0.02, 4),
    patience(1, 0.02, 3),
    patience(1, 0.02, 3),
];

const fn patience(lost: u32, score: f32, hopeless: u32) -> Patience {
    Patience { lost, score, hopeless }
}

impl Patience {
    /// Of an engine that plays at this rating; `None` for full strength.
    #[must_use]
    pub fn of(variant: &Variant, elo: Option<u32>) -> Self {
        let reached =
            |elo: u32| STRENGTHS.iter().take_while(|row| row.elo(variant).is_some_and(|row| row <= elo)).count();
        PATIENCE[elo.map_or(PATIENCE.len() - 1, |elo| reached(elo).saturating_sub(1))]
    }
}

/// Whether an engine resigns, by what it says at its turns. The positions tell which of them follow one another, so
/// that another game or a turn taken back begins anew.
///
/// ```
/// use hippolyta::engine::{Board, Resignation, Score};
/// use hippolyta::games::variant;
///
/// // White has one turn left and Black many.
/// let board = Board::from_fen(&variant::find("amazons")?, "9q/10/10/10/10/10/10/10/***7/Q1*7 w")?;
/// assert!(Resignation::default().resigns(&board, Score::Loss { plies: 2 }, None));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Resignation {
    /// Of White and Black.
    sides: [Option<Streak>; 2],
}

/// Bad turns in a row.
#[derive(Clone, Copy, Debug, Default)]
struct Streak {
    /// The position before the last of them, by the number of turns before it and its key.
    at: (usize, u64),
    lost: u32,
    hopeless: u32,
}

impl Resignation {
    /// Whether the side to move resigns, which plays at this rating (`None`: full strength) and has found that `score`
    /// is what it is worth. To be asked once at each of its turns; once more for the same position changes nothing.
    pub fn resigns(&mut self, board: &Board, score: Score, elo: Option<u32>) -> bool {
        let side = board.side_to_move();
        let patience = Patience::of(board.variant(), elo);
        let is_lost = match score {
            Score::Loss { .. } => true,
            Score::Win { .. } | Score::Draw => false,
            // A weak level does not see it.
            Score::Estimate { .. } => {
                elo.is_some() && decided(board).is_some_and(|decided| decided.outcome == Outcome::Win(!side))
            }
        };
        let is_hopeless = is_lost || score.expected() <= patience.score;
        let streak = &mut self.sides[side.index()];
        let at = (board.turns().len(), board.key());
        let before = match *streak {
            Some(streak) if streak.at == at => return patience.is_over(&streak),
            Some(streak) if streak.at.0 + 2 == at.0 => streak,
            _ => Streak::default(),
        };
        let count = |holds: bool, before: u32| if holds { before + 1 } else { 0 };
        let now = Streak { at, lost: count(is_lost, before.lost), hopeless: count(is_hopeless, before.hopeless) };
        *streak = Some(now);
        patience.is_over(&now)
    }
}

impl Patience {
    fn is_over(&self, streak: &Streak) -> bool {
        streak.lost >= self.lost || streak.hopeless >= self.hopeless
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::variant::{VARIANTS, find};

    const LOST: Score = Score::Loss { plies: 4 };

    fn estimate(score: f32) -> Score {
        Score::Estimate { score, draw: 0.0 }
    }

    /// At which of White's turns it resigns, from 0, if it says these scores.
    fn resigns(elo: Option<u32>, scores: &[Score]) -> Option<usize> {
        let mut resignation = Resignation::default();
        let mut board = Board::new(&find("amazons6").unwrap());
        scores.iter().position(|&score| {
            let resigns = resignation.resigns(&board, score, elo);
            assert_eq!(resignation.resigns(&board, estimate(0.5), elo), resigns);
            for _ in 0..2 {
                board.play_turn(&board.legal_turns().get(0).unwrap()).unwrap();
            }
            resigns
        })
    }

    #[test]
    fn what_is_lost_is_resigned_the_later_the_weaker_the_engine() {
        assert_eq!(resigns(None, &[estimate(0.1), LOST]), Some(1));
        assert_eq!(resigns(Some(600), &[LOST; 9]), Some(5));
        assert_eq!(resigns(Some(0), &[LOST; 9]), Some(7));
        assert_eq!(resigns(Some(0), &[Score::Draw; 9]), None);
        for variant in VARIANTS {
            let lost = |elo| Patience::of(variant, Some(elo)).lost;
            assert!((0..4_000).all(|elo| lost(elo) >= lost(elo + 1)), "{}", variant.name());
            assert_eq!((lost(0), lost(4_000)), (PATIENCE[0].lost, Patience::of(variant, None).lost));
        }
    }

    #[test]
    fn what_is_hopeless_is_resigned_if_it_stays_so() {
        let low = estimate(0.02);
        assert_eq!(resigns(None, &[low, low, estimate(0.03), low, low, low]), Some(5));
        assert_eq!(resigns(None, &[estimate(0.03); 9]), None);
        // Weak levels wait for what is certain.
        assert_eq!(resigns(Some(600), &[low; 9]), None);
    }

    #[test]
    fn another_game_begins_anew() {
        let mut resignation = Resignation::default();
        let start = Board::new(&find("amazons6").unwrap());
        let low = estimate(0.0);
        for _ in 0..5 {
            assert!(!resignation.resigns(&start, low, None));
        }
        let mut later = start.clone();
        for _ in 0..4 {
            later.play_turn(&later.legal_turns().get(0).unwrap()).unwrap();
        }
        assert!(!resignation.resigns(&later, low, None));
    }

    #[test]
    fn a_weak_level_sees_what_is_counted() {
        let lost = Board::from_fen(&find("amazons").unwrap(), "9q/10/10/10/10/10/10/10/***7/Q1*7 w").unwrap();
        let mut resignation = Resignation::default();
        assert!(!resignation.resigns(&lost, estimate(0.5), Some(600)));
        assert_eq!(resignation.sides[0].map(|streak| streak.lost), Some(1));
    }
}
