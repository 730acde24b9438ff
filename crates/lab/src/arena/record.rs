//! Records of games: a JSON line for programs, a text like PGN for people.

use super::client::EngineScore;
use hippolyta::games::variant::{self, Variant};
use hippolyta::games::{Outcome, Side};
use hippolyta_protocol::records::{first_ply, turn_number};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// By the rules.
    Rules,
    /// An illegal move, or `bestmove` without one.
    IllegalMove,
    /// More time used than there was.
    Time,
    /// The engine's process ended or could not be started.
    Crash,
    /// An answer took too long, while no clock ran out.
    Silence,
    /// Scores beyond the limit of `--resign`, or the engine resigned.
    Resignation,
    /// Scores within the limit of `--draw`.
    DrawByScore,
    /// The limit of `--maxmoves`.
    MaxMoves,
    /// The result was certain: `--adjudicate exact`.
    Exact,
}

impl Reason {
    /// As in the records.
    pub fn text(self) -> &'static str {
        match self {
            Self::Rules => "rules",
            Self::IllegalMove => "illegal-move",
            Self::Time => "time",
            Self::Crash => "crash",
            Self::Silence => "silence",
            Self::Resignation => "resignation",
            Self::DrawByScore => "draw-by-score",
            Self::MaxMoves => "max-moves",
            Self::Exact => "exact",
        }
    }

    /// As people read it in a list of how games ended.
    pub fn words(self) -> &'static str {
        match self {
            Self::Rules => "by the rules",
            Self::IllegalMove => "an illegal move",
            Self::Time => "out of time",
            Self::Crash => "a crash",
            Self::Silence => "no answer",
            Self::DrawByScore => "drawn by scores",
            other => other.text(),
        }
    }

    /// Whether the loser's program is to blame, not its play.
    pub fn is_fault(self) -> bool {
        matches!(self, Self::IllegalMove | Self::Time | Self::Crash | Self::Silence)
    }
}

/// One move of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MoveRecord {
    /// The move in its usual spelling.
    #[serde(rename = "move")]
    pub text: String,
    /// From the opening, not from an engine.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub book: bool,
    /// Microseconds that it took.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_us: Option<u64>,
    /// Milliseconds on the mover's clock after it, increment included.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock_ms: Option<u64>,
    /// The engine's score, from its own view.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<EngineScore>,
    /// The engine's depth.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// The longest line that the engine looked at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seldepth: Option<u32>,
    /// The engine's nodes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// It was pondered on: the opponent's turn before it was the one that the engine expected. The time is that after
    /// the opponent's turn.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ponderhit: bool,
}

impl MoveRecord {
    /// A move of the opening.
    pub fn book(text: String) -> Self {
        Self { text, book: true, ..Self::default() }
    }
}

/// A finished game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameRecord {
    /// Its number in the schedule, from 0.
    pub game: u64,
    /// The number of its opening, from 0.
    pub opening: u64,
    /// Rule set.
    pub variant: String,
    /// Its rules as a line of TOML, if it is one's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules: Option<String>,
    /// Where it began.
    pub fen: String,
    /// Name of the first engine, which plays White.
    pub white: String,
    /// Name of the second.
    pub black: String,
    /// All moves, those of the opening first.
    pub moves: Vec<MoveRecord>,
    /// `1-0`, `0-1` or `1/2-1/2`.
    pub result: String,
    /// By how much White won, negative if Black did: see [`Decided`](hippolyta::engine::Decided). `None` where it is
    /// not known, as in games that ended by a fault or by scores.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub margin: Option<f64>,
    /// Why it ended.
    pub reason: Reason,
    /// The reason as a sentence, with the numbers that matter.
    pub detail: String,
    /// The last position.
    pub final_fen: String,
    /// Further tags of PGN: `Event`, `Date`, `Round`, `TimeControl`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub tags: BTreeMap<String, String>,
}

/// `1-0`, `0-1` or `1/2-1/2`.
pub fn result_text(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Win(Side::White) => "1-0",
        Outcome::Win(Side::Black) => "0-1",
        Outcome::Draw => "1/2-1/2",
    }
}

impl GameRecord {
    /// The rule set; `None` if nobody knows it.
    pub fn rule_set(&self) -> Option<Variant> {
        variant::find(self.rules.as_ref().unwrap_or(&self.variant)).ok()
    }

    /// White's score in half points, `None` if the record is damaged.
    pub fn white_half_points(&self) -> Option<u64> {
        match self.result.as_str() {
            "1-0" => Some(2),
            "0-1" => Some(0),
            "1/2-1/2" => Some(1),
            _ => None,
        }
    }

    /// The record as people read it.
    pub fn text(&self) -> String {
        let mut text = String::new();
        let number = (self.game + 1).to_string();
        let tag = |name: &str| self.tags.get(name).map_or("?", String::as_str);
        let tags = [
            ("Event", tag("Event")),
            ("Site", tag("Site")),
            ("Date", self.tags.get("Date").map_or("????.??.??", String::as_str)),
            ("Round", tag("Round")),
            ("Game", number.as_str()),
            ("Variant", &self.variant),
            ("White", &self.white),
            ("Black", &self.black),
            ("Result", &self.result),
            ("Termination", self.reason.text()),
            ("Detail", &self.detail),
            ("FEN", &self.fen),
        ];
        let margin = self.margin.map(|margin| format!("{margin:+}"));
        let rules = self.rules.as_deref().map(|rules| ("Rules", rules));
        let tags = tags.into_iter().chain(rules).chain(margin.as_deref().map(|margin| ("Margin", margin)));
        let others = self.tags.iter().filter(|(name, _)| !["Event", "Site", "Date", "Round"].contains(&name.as_str()));
        let tags = tags.chain(others.map(|(name, value)| (name.as_str(), value.as_str())));
        for (name, value) in tags {
            let _ = writeln!(text, "[{name} \"{}\"]", value.replace('\\', "\\\\").replace('"', "\\\""));
        }
        text.push('\n');
        let first = first_ply(&self.fen);
        let mut width = 0;
        for (index, record) in self.moves.iter().enumerate() {
            let mut word = turn_number(first + index, index == 0);
            word.push_str(&record.text);
            if record.book {
                word.push_str(" {book}");
            } else {
                let score = match record.score {
                    Some(EngineScore::Cp(value)) => format!("{:+.2}", f64::from(value) / 100.0),
                    Some(EngineScore::Mate(moves)) if moves > 0 => format!("+M{moves}"),
                    Some(EngineScore::Mate(moves)) => format!("-M{}", moves.unsigned_abs()),
                    None => "-".to_owned(),
                };
                let depth = record.depth.map_or_else(String::new, |depth| format!("/{depth}"));
                let _ = write!(word, " {{{score}{depth} {:.3}s}}", record.time_us.unwrap_or(0) as f64 / 1e6);
            }
            if width > 0 && width + word.len() >= 100 {
                text.push('\n');
                width = 0;
            } else if width > 0 {
                text.push(' ');
            }
            width += word.len() + 1;
            text.push_str(&word);
        }
        let _ = write!(text, "{}{}\n\n", if self.moves.is_empty() { "" } else { " " }, self.result);
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_the_same_after_json_and_readable_as_text() {
        let book = MoveRecord::book("a1a2,a2a1".to_owned());
        let info = MoveRecord {
            book: false,
            time_us: Some(1_500),
            score: Some(EngineScore::Mate(-2)),
            depth: Some(3),
            ..book.clone()
        };
        let record = GameRecord {
            game: 4,
            opening: 2,
            variant: "amazons".to_owned(),
            rules: None,
            fen: "q2/3/2Q b - - 0 1".to_owned(),
            white: "a \"b\"".to_owned(),
            black: "c".to_owned(),
            moves: vec![book, info],
            result: "0-1".to_owned(),
            margin: Some(-2.5),
            reason: Reason::IllegalMove,
            detail: "white: no".to_owned(),
            final_fen: String::new(),
            tags: [("Date", "2026.11.23"), ("TimeControl", "10+0.1")].map(|(a, b)| (a.to_owned(), b.to_owned())).into(),
        };
        let json = serde_json::to_string(&record).unwrap();
        assert!(json.contains(r#""score":{"mate":-2}"#) && json.contains(r#""reason":"illegal-move""#), "{json}");
        assert_eq!(serde_json::from_str::<GameRecord>(&json).unwrap(), record);
        let text = record.text();
        let start = "[Event \"?\"]\n[Site \"?\"]\n[Date \"2026.11.23\"]\n[Round \"?\"]\n[Game \"5\"]\n";
        assert!(text.starts_with(start), "{text}");
        assert!(text.contains("[Margin \"-2.5\"]\n[TimeControl \"10+0.1\"]\n\n"), "{text}");
        let bare = GameRecord { margin: None, tags: BTreeMap::new(), ..record.clone() };
        let json = serde_json::to_string(&bare).unwrap();
        assert!(!json.contains("\"margin\"") && !json.contains("\"tags\""), "{json}");
        assert_eq!(serde_json::from_str::<GameRecord>(&json).unwrap(), bare);
        assert!(text.contains("[White \"a \\\"b\\\"\"]"), "{text}");
        assert!(text.ends_with("1... a1a2,a2a1 {book} 2. a1a2,a2a1 {-M2/3 0.002s} 0-1\n\n"), "{text}");
        assert_eq!(record.white_half_points(), Some(0));
    }
}
