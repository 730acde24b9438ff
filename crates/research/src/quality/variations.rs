//! Variations of a rule set side by side, by how near each comes to a goal.

use super::measures::{Interval, Report, Strength, doubled, part, percent, share};
use hippolyta::words::shown;
use hippolyta_lab::arena::statistics::interval;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fmt::{self, Display, Write};
use std::str::FromStr;

/// A quality that is looked for in rules.
///
/// ```
/// use hippolyta_research::quality::Goal;
///
/// assert_eq!("length=20-40".parse(), Ok(Goal::Length(20, 40)));
/// assert_eq!(Goal::Balance.to_string(), "balance");
/// assert!("beauty".parse::<Goal>().unwrap_err().starts_with("'beauty' is none of balance, "));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum Goal {
    /// Games are decided, and each side wins half of them: see [`Varied::balance`].
    #[default]
    Balance,
    /// Twice as many nodes gain much.
    Depth,
    /// Few games are drawn.
    Decided,
    /// Games last this number of turns of both sides, from and to.
    Length(u32, u32),
}

impl FromStr for Goal {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let range = || {
            let (from, to) = text.strip_prefix("length=")?.split_once('-')?;
            Some((from.parse().ok()?, to.parse().ok()?)).filter(|(from, to)| from <= to)
        };
        match text {
            "balance" => Ok(Self::Balance),
            "depth" => Ok(Self::Depth),
            "decided" => Ok(Self::Decided),
            _ => range().map(|(from, to)| Self::Length(from, to)).ok_or_else(|| {
                format!("'{}' is none of balance, depth, decided, or length=FROM-TO in turns", shown(text))
            }),
        }
    }
}

impl Display for Goal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Balance => f.write_str("balance"),
            Self::Depth => f.write_str("depth"),
            Self::Decided => f.write_str("decided"),
            Self::Length(from, to) => write!(f, "length={from}-{to}"),
        }
    }
}

impl TryFrom<String> for Goal {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<Goal> for String {
    fn from(goal: Goal) -> Self {
        goal.to_string()
    }
}

impl Goal {
    /// How near a variation comes to it: the more, the nearer.
    pub fn of(self, varied: &Varied) -> Interval {
        match (self, varied.best()) {
            (Self::Depth, _) => varied.depth(),
            (Self::Balance, _) => varied.balance(),
            (Self::Decided, Some(Strength { drawn, .. })) => {
                Interval { mean: 1.0 - drawn.mean, low: 1.0 - drawn.high, high: 1.0 - drawn.low }
            }
            (Self::Length(from, to), Some(best)) if best.games > 0 => {
                let within: u64 = best.lengths.range(from..=to).map(|(_, games)| games).sum();
                let (mean, results) = (within as f64 / best.games as f64, best.openings as f64);
                let [low, high] = interval(mean * results, results);
                Interval { mean, low, high }
            }
            (Self::Decided | Self::Length(..), _) => Interval { mean: 0.0, low: 0.0, high: 1.0 },
        }
    }

    /// Those of `among`, places of variations, that no other of them surpasses for certain.
    pub fn unsurpassed(self, varied: &[Varied], among: &[usize]) -> Vec<usize> {
        let of: Vec<Interval> = among.iter().map(|&at| self.of(&varied[at])).collect();
        let is_left = |own: &Interval| !of.iter().any(|other| other.is_above(own));
        among.iter().zip(&of).filter(|(_, own)| is_left(own)).map(|(&at, _)| at).collect()
    }

    /// Its name above a column.
    pub fn head(self) -> String {
        match self {
            Self::Balance => "balance, %".to_owned(),
            Self::Depth => "Elo of a doubling".to_owned(),
            Self::Decided => "decided, %".to_owned(),
            Self::Length(from, to) => format!("{from}–{to} turns, %"),
        }
    }

    /// A measure in that column.
    pub fn shown(self, interval: &Interval) -> String {
        if self != Self::Depth {
            return part(interval);
        }
        let elo = |elo: f64| if elo.is_finite() { format!("{elo:+.0}") } else { "–".to_owned() };
        format!("{} ({} to {})", elo(interval.mean), elo(interval.low), elo(interval.high))
    }

    /// What a variation is that comes nearest to it.
    fn superlative(self) -> String {
        match self {
            Self::Balance => "the most balanced".to_owned(),
            Self::Depth => "the deepest".to_owned(),
            Self::Decided => "the one with the fewest draws".to_owned(),
            Self::Length(from, to) => format!("the one with most games of {from} to {to} turns"),
        }
    }
}

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
    /// Its place, from 1: one more than how many come nearer to the goal for certain. Those that the games do not tell
    /// apart share one.
    #[serde(default)]
    pub place: usize,
}

impl Varied {
    /// The changes in one text.
    pub fn change(&self) -> String {
        if self.changes.is_empty() { "as it is".to_owned() } else { self.changes.join(", ") }
    }

    /// Measures of the games of the greatest strength.
    fn best(&self) -> Option<&Strength> {
        self.report.strengths.last()
    }

    /// Twice the share of the games that the side with fewer wins has won: 1 if all are decided and each side wins half
    /// of them, 0 if all are drawn or one side wins all.
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
    /// The quality that they are put in order by.
    #[serde(default)]
    pub goal: Goal,
    /// By place, and those that share one by what was seen: the nearest to the goal first, of equals the deeper one.
    pub variations: Vec<Varied>,
    /// The comparison in English sentences.
    pub words: Vec<String>,
}

impl Variations {
    /// Puts variations in order, and says what they tell.
    pub fn new(title: &str, made: Value, goal: Goal, mut variations: Vec<Varied>) -> Self {
        let all: Vec<Interval> = variations.iter().map(|varied| goal.of(varied)).collect();
        for (varied, own) in variations.iter_mut().zip(&all) {
            varied.place = 1 + all.iter().filter(|other| other.is_above(own)).count();
        }
        let worth = |varied: &Varied| [goal.of(varied).mean, varied.depth().mean];
        variations.sort_by(|one, other| {
            let [[near, depth], [other_near, other_depth]] = [worth(one), worth(other)];
            let by_place = one.place.cmp(&other.place);
            by_place.then(other_near.total_cmp(&near)).then(other_depth.total_cmp(&depth))
        });
        let words = words(title, goal, &variations);
        Self { title: title.to_owned(), made, goal, variations, words }
    }

    /// The place of a variation as a text, with `=` where others share it.
    pub fn place(&self, varied: &Varied) -> String {
        let shared = self.variations.iter().filter(|other| other.place == varied.place).count() > 1;
        format!("{}{}", varied.place, if shared { "=" } else { "" })
    }

    /// The variations as a table in text, a line each.
    pub fn table(&self) -> String {
        let mut text = format!("place {:>17}  games  White  drawn  turns  doubling  change\n", self.goal.head());
        for varied in &self.variations {
            let Some(best) = varied.best() else { continue };
            let doubling = best.doubling[0].map_or_else(|| "–".to_owned(), |elo| format!("{elo:+.0}"));
            let _ = writeln!(
                text,
                "{:<5} {:>17} {:>6} {:>4} % {:>4} % {:>6} {doubling:>9}  {}",
                self.place(varied),
                self.goal.shown(&self.goal.of(varied)),
                best.games,
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
fn first_of<'a>(variations: &'a [Varied], of: &dyn Fn(&Varied) -> Interval) -> Option<&'a Varied> {
    variations.iter().find(|one| variations.iter().all(|other| other == *one || of(one).is_above(&of(other))))
}

/// Names in a text, at most.
const NAMED: usize = 8;

fn words(title: &str, goal: Goal, variations: &[Varied]) -> Vec<String> {
    let mut words = Vec::new();
    let itself = variations.iter().find(|varied| varied.changes.is_empty());
    words.extend(itself.and_then(|varied| told(&format!("{title} as it is"), varied)));
    let (number, superlative) = (variations.len(), goal.superlative());
    if let Some(first) = first_of(variations, &|varied| goal.of(varied)) {
        words.extend(told(&format!("Of {number} variations {superlative} is {}", first.change()), first));
    } else {
        let equals: Vec<String> = variations.iter().filter(|varied| varied.place == 1).map(Varied::change).collect();
        let more = if equals.len() > NAMED { format!("; and {} more", equals.len() - NAMED) } else { String::new() };
        let enough =
            if goal == Goal::Depth { "" } else { " Some 400 games of each tell those apart that differ by 20 points." };
        words.push(format!(
            "Of {number} variations these games do not tell which is {superlative}: {}{more}.{enough}",
            equals.iter().take(NAMED).cloned().collect::<Vec<_>>().join("; ")
        ));
    }
    let played = variations.iter().filter_map(Varied::best).any(|best| best.doubling_games > 0);
    match first_of(variations, &Varied::depth) {
        _ if !played || goal == Goal::Depth => {}
        Some(deepest) => words.extend(told(&format!("The deepest is {}", deepest.change()), deepest)),
        None => words.push("These games do not tell which is the deepest.".to_owned()),
    }
    let mut by: Vec<(&str, usize)> = Vec::new();
    for Varied { report: Report { evaluation, .. }, .. } in variations {
        match by.iter_mut().find(|(known, _)| known == evaluation) {
            Some((_, times)) => *times += 1,
            None => by.push((evaluation, 1)),
        }
    }
    match &by[..] {
        [] => {}
        [(evaluation, _)] => words.push(format!("All were played by the engine with {evaluation}.")),
        several => {
            let each: Vec<_> = several.iter().map(|(by, times)| format!("{times} with {by}")).collect();
            words.push(format!("They were played by the engine, {}.", each.join("; ")));
        }
    }
    words
}
