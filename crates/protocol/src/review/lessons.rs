//! What there is to learn from the mistakes of a game: a few sentences, by what the mistakes were about.

use super::text::several;
use super::{ReasonKind, Verdict};
use serde::Serialize;

/// What a mistake was about, by its weightiest reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "camelCase")]
pub enum Subject {
    /// A decided result that was given away.
    Proof,
    /// Squares that are closed off.
    Territory,
    /// Amazons that are shut in.
    ShutIn,
    /// Stones that flip.
    Flips,
    /// Pieces that are taken.
    Captures,
    /// Promotion in Damone.
    Promotion,
    /// Turns or stones at the end.
    Count,
    /// Squares in the open.
    Reach,
    /// Room to move.
    Mobility,
}

impl From<ReasonKind> for Subject {
    fn from(kind: ReasonKind) -> Self {
        match kind {
            ReasonKind::ThrownAway | ReasonKind::ForcedLoss | ReasonKind::MissedWin | ReasonKind::End => Self::Proof,
            ReasonKind::Territory => Self::Territory,
            ReasonKind::ShutIn => Self::ShutIn,
            ReasonKind::Flips => Self::Flips,
            ReasonKind::Captures | ReasonKind::Pieces => Self::Captures,
            ReasonKind::Promotion | ReasonKind::Damoni | ReasonKind::Advance => Self::Promotion,
            ReasonKind::Count => Self::Count,
            ReasonKind::Reach => Self::Reach,
            ReasonKind::Mobility => Self::Mobility,
        }
    }
}

/// What to learn from mistakes that were about one thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "LessonInfo"))]
pub struct Lesson {
    /// What they were about.
    pub about: Subject,
    /// How many they were.
    pub count: u32,
}

/// Nobody keeps more in mind.
const MOST: usize = 3;

impl Lesson {
    /// What there is to learn from mistakes, the dearest first.
    pub fn of<'a>(mistakes: impl IntoIterator<Item = &'a Verdict>) -> Vec<Self> {
        Self::among(mistakes.into_iter().filter_map(|verdict| Some((verdict.about?, verdict.loss))))
    }

    fn among(mistakes: impl Iterator<Item = (Subject, f64)>) -> Vec<Self> {
        let mut found = Vec::<(Self, f64)>::new();
        for (about, loss) in mistakes {
            match found.iter_mut().find(|(lesson, _)| lesson.about == about) {
                Some((lesson, sum)) => (lesson.count, *sum) = (lesson.count + 1, *sum + loss),
                None => found.push((Self { about, count: 1 }, loss)),
            }
        }
        found.sort_by(|(_, a), (_, b)| b.total_cmp(a));
        found.into_iter().map(|(lesson, _)| lesson).take(MOST).collect()
    }

    /// A sentence.
    pub(super) fn text(self) -> String {
        let mistakes = several(self.count, "mistake", "mistakes");
        let were = if self.count == 1 { "was" } else { "were" };
        match self.about {
            Subject::Proof => format!("{mistakes} gave a decided result away: near the end, calculate to the end."),
            Subject::Territory => {
                format!("{mistakes} {were} about squares that are closed off: look at what either side can close.")
            }
            Subject::ShutIn => format!("{mistakes} {were} about amazons that are shut in: keep a second way out."),
            Subject::Flips => format!("{mistakes} {were} about stones that flip: look behind every row of them."),
            Subject::Captures => {
                format!("{mistakes} {were} about pieces that are taken: look at what can be taken after your turn.")
            }
            Subject::Promotion => format!("{mistakes} {were} about promotion: count the steps of both sides to it."),
            Subject::Count => format!("{mistakes} cost turns or stones at the end: count for both sides."),
            Subject::Reach => {
                format!("{mistakes} gave up squares in the open: count where each side comes first.")
            }
            Subject::Mobility => {
                format!("{mistakes} left too little room to move: count the moves of both sides.")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_three_lessons_at_most_the_dearest_first() {
        let mistakes = [
            (Subject::Territory, 0.1),
            (Subject::Territory, 0.15),
            (Subject::ShutIn, 0.2),
            (Subject::Proof, 0.5),
            (Subject::Count, 0.1),
        ];
        let lessons = Lesson::among(mistakes.into_iter());
        let texts: Vec<_> = lessons.iter().map(|lesson| lesson.text()).collect();
        assert_eq!(
            texts,
            [
                "1 mistake gave a decided result away: near the end, calculate to the end.",
                "2 mistakes were about squares that are closed off: look at what either side can close.",
                "1 mistake was about amazons that are shut in: keep a second way out.",
            ]
        );
    }
}
