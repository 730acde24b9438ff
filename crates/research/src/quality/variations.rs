//! Variations of a rule set side by side, by balance and depth.

use super::measures::{Interval, Report, Strength, doubled, part, percent, share};
use hippolyta_lab::arena::statistics::interval;
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
    /// Its place by balance, from 1: one more than how many are more balanced for certain. Those that the games do not
    /// tell apart share one.
    #[serde(default)]
    pub place: usize,
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
    pub fn balance(&self) -> Interval {
        let Some(best) = self.best() else { return Interval { mean: 0.0, low: 0.0, high: 1.0 } };
        let white = best.first_player.mean - best.drawn.mean / 2.0;
        let results = best.openings as f64;
        let sides = [white, 1.0 - white - best.drawn.mean].map(|share| {
            let [low, high] = interval(share * results, results);
            [share, low, high]
        });
        let [mean, low, high] = [0, 1, 2].map(|end| (2.0 * sides[0][end].min(sides[1][end])).clamp(0.0, 1.0));
        Interval { mean, low, high }
    }

    /// Elo that twice as many nodes gain, and its interval; infinite where nothing bounds it.
    fn depth(&self) -> Interval {
        let [mean, low, high] = self.best().map_or([None; 3], |best| best.doubling);
        let (low, high) = (low.unwrap_or(f64::NEG_INFINITY), high.unwrap_or(f64::INFINITY));
        let all = if low.is_finite() { f64::INFINITY } else { f64::NEG_INFINITY };
        Interval { mean: mean.unwrap_or(all), low, high }
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
    /// By place, and those that share one by what was seen: the most balanced first, the deeper one first of equals.
    pub variations: Vec<Varied>,
    /// The comparison in English sentences.
    pub words: Vec<String>,
}

impl Variations {
    /// Puts variations in order, and says what they tell.
    #[must_use]
    pub fn new(title: &str, made: Value, mut variations: Vec<Varied>) -> Self {
        let all: Vec<Interval> = variations.iter().map(Varied::balance).collect();
        for (varied, own) in variations.iter_mut().zip(&all) {
            varied.place = 1 + all.iter().filter(|other| other.is_above(own)).count();
        }
        let worth = |varied: &Varied| [varied.balance().mean, varied.depth().mean];
        variations.sort_by(|one, other| {
            let [[balance, depth], [other_balance, other_depth]] = [worth(one), worth(other)];
            let by_place = one.place.cmp(&other.place);
            by_place.then(other_balance.total_cmp(&balance)).then(other_depth.total_cmp(&depth))
        });
        let words = words(title, &variations);
        Self { title: title.to_owned(), made, variations, words }
    }

    /// The place of a variation as a text, with `=` where others share it.
    #[must_use]
    pub fn place(&self, varied: &Varied) -> String {
        let shared = self.variations.iter().filter(|other| other.place == varied.place).count() > 1;
        format!("{}{}", varied.place, if shared { "=" } else { "" })
    }

    /// The variations as a table in text, a line each.
    #[must_use]
    pub fn table(&self) -> String {
        let mut text = "place       balance, %  White  drawn  turns  doubling  change\n".to_owned();
        for varied in &self.variations {
            let Some(best) = varied.best() else { continue };
            let doubling = best.doubling[0].map_or_else(|| "–".to_owned(), |elo| format!("{elo:+.0}"));
            let _ = writeln!(
                text,
                "{:<5} {:>15} {:>4} % {:>4} % {:>6} {doubling:>9}  {}",
                self.place(varied),
                part(&varied.balance()),
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
    let white = share(&best.first_player);
    let depth = if best.doubling_games == 0 { String::new() } else { format!(", and {}", doubled(best)) };
    Some(format!(
        "{subject}: White scores {white} in {} games, {} % are drawn{depth}.",
        best.games,
        percent(best.drawn.mean)
    ))
}

/// The one that is above all others for certain.
fn first_of(variations: &[Varied], of: fn(&Varied) -> Interval) -> Option<&Varied> {
    variations.iter().find(|one| variations.iter().all(|other| other == *one || of(one).is_above(&of(other))))
}

/// Names in a text, at most.
const NAMED: usize = 8;

fn words(title: &str, variations: &[Varied]) -> Vec<String> {
    let mut words = Vec::new();
    let itself = variations.iter().find(|varied| varied.changes.is_empty());
    words.extend(itself.and_then(|varied| told(&format!("{title} as it is"), varied)));
    let number = variations.len();
    if let Some(first) = first_of(variations, Varied::balance) {
        words.extend(told(&format!("Of {number} variations the most balanced is {}", first.change()), first));
    } else {
        let equals: Vec<String> = variations.iter().filter(|varied| varied.place == 1).map(Varied::change).collect();
        let more = if equals.len() > NAMED { format!("; and {} more", equals.len() - NAMED) } else { String::new() };
        words.push(format!(
            "Of {number} variations these games do not tell which is the most balanced: {}{more}. Some 400 games of each \
             tell those apart whose balance differs by 20 points.",
            equals.iter().take(NAMED).cloned().collect::<Vec<_>>().join("; ")
        ));
    }
    let played = variations.iter().filter_map(Varied::best).any(|best| best.doubling_games > 0);
    match first_of(variations, Varied::depth) {
        Some(deepest) if played => words.extend(told(&format!("The deepest is {}", deepest.change()), deepest)),
        None if played => words.push("These games do not tell which is the deepest.".to_owned()),
        _ => {}
    }
    words
        .extend(variations.first().map(|one| format!("All were played by the engine with {}.", one.report.evaluation)));
    words
}
