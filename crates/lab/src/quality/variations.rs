//! Variations of a rule set side by side, by balance and depth.

use super::measures::{Report, Strength, percent};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fmt::Write;

/// A variation and what its games say.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Varied {
    /// The changes, as they are written in a file of rules; none for the rules themselves.
    pub changes: Vec<String>,
    /// The rules, as a file of one line.
    pub rules: String,
    /// The report on its games.
    pub report: Report,
}

impl Varied {
    /// The changes in one text.
    #[must_use]
    pub fn change(&self) -> String {
        if self.changes.is_empty() { "as it is".to_owned() } else { self.changes.join(", ") }
    }

    /// Measures of the games of the greatest strength.
    fn best(&self) -> Option<&Strength> {
        self.report.strengths.last()
    }

    /// Twice the share of the games that the side with fewer wins has won: 1 if all are decided and each side wins half
    /// of them, 0 if all are drawn or one side wins all.
    #[must_use]
    pub fn balance(&self) -> f64 {
        let Some(best) = self.best() else { return 0.0 };
        let white = best.first_player.mean - best.drawn.mean / 2.0;
        let black = 1.0 - white - best.drawn.mean;
        2.0 * white.min(black).max(0.0)
    }

    /// Elo that twice as many nodes gain; infinite if they win all.
    #[must_use]
    pub fn depth(&self) -> f64 {
        let Some(best) = self.best() else { return 0.0 };
        let wins_all = best.doubling[0].is_none() && best.doubling_games > 0;
        best.doubling[0].unwrap_or(if wins_all { f64::INFINITY } else { 0.0 })
    }
}

/// A rule set and its variations.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Variations {
    /// The rule set's title.
    pub title: String,
    /// The options that made it, named as on the command line.
    #[serde(default)]
    pub made: Value,
    /// The most balanced first, the deeper one first of equals.
    pub variations: Vec<Varied>,
    /// The comparison in English sentences.
    pub words: Vec<String>,
}

impl Variations {
    /// Puts variations in order, and says what they tell.
    #[must_use]
    pub fn new(title: &str, made: Value, mut variations: Vec<Varied>) -> Self {
        let worth = |varied: &Varied| [varied.balance(), varied.depth()];
        variations.sort_by(|one, other| {
            let [[balance, depth], [other_balance, other_depth]] = [worth(one), worth(other)];
            other_balance.total_cmp(&balance).then(other_depth.total_cmp(&depth))
        });
        let words = words(title, &variations);
        Self { title: title.to_owned(), made, variations, words }
    }

    /// The variations as a table in text, a line each.
    #[must_use]
    pub fn table(&self) -> String {
        let mut text = "balance  White  drawn  turns  doubling  change\n".to_owned();
        for varied in &self.variations {
            let Some(best) = varied.best() else { continue };
            let doubling = best.doubling[0].map_or_else(|| "–".to_owned(), |elo| format!("{elo:+.0}"));
            let _ = writeln!(
                text,
                "{:>5} % {:>4} % {:>4} % {:>6} {doubling:>9}  {}",
                percent(varied.balance()),
                percent(best.first_player.mean),
                percent(best.drawn.mean),
                best.turns[1],
                varied.change(),
            );
        }
        text
    }
}

/// The measures of a variation, in a sentence.
fn told(subject: &str, varied: &Varied) -> Option<String> {
    let best = varied.best()?;
    let part = best.first_player;
    let depth = match (best.doubling[0], best.doubling_games) {
        (_, 0) => String::new(),
        (Some(elo), _) => format!(", and a doubling of nodes is worth {elo:+.0} Elo"),
        (None, _) => ", and twice as many nodes win all games, or lose all".to_owned(),
    };
    Some(format!(
        "{subject}: White scores {} % ({} to {}), {} % are drawn{depth}.",
        percent(part.mean),
        percent(part.low),
        percent(part.high),
        percent(best.drawn.mean),
    ))
}

fn words(title: &str, variations: &[Varied]) -> Vec<String> {
    let mut words = Vec::new();
    let itself = variations.iter().find(|varied| varied.changes.is_empty());
    words.extend(itself.and_then(|varied| told(&format!("{title} as it is"), varied)));
    let Some(first) = variations.first() else { return words };
    let subject = format!("Of {} variations the most balanced is {}", variations.len(), first.change());
    words.extend(told(&subject, first));
    let deepest = variations.iter().max_by(|one, other| one.depth().total_cmp(&other.depth()));
    if let Some(deepest) = deepest.filter(|found| *found != first && found.depth() > 0.0) {
        words.extend(told(&format!("The deepest is {}", deepest.change()), deepest));
    }
    // In the order of balance, one that is deeper than all before it is beaten by none in both.
    let (mut deepest, mut unbeaten) = (f64::NEG_INFINITY, Vec::new());
    for varied in variations {
        if varied.depth() > deepest {
            deepest = varied.depth();
            unbeaten.push(varied.change());
        }
    }
    words.push(format!("No other is both more balanced and deeper than: {}.", unbeaten.join("; ")));
    words
}
