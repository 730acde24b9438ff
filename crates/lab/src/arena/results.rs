//! Results so far, and how they are shown.

use super::record::{GameRecord, Reason};
use super::statistics::{Counts, Elo, Sprt, Verdict, ratings};
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt::Write as _;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Results of one pairing from the view of its first engine.
#[derive(Clone, Debug, Default)]
struct Pairing {
    /// Losses, draws, wins with White and with Black.
    as_white: [u64; 3],
    as_black: [u64; 3],
    /// Half points from openings with one finished game.
    open: HashMap<u64, u64>,
    /// Pairs of games by half points.
    pairs: [u64; 5],
    /// Its margins and those of the games that it lost, added up, and how many are known.
    margin: f64,
    margins: u64,
}

/// Results of all finished games.
#[derive(Clone, Debug)]
pub struct Results {
    names: Vec<String>,
    repeat: bool,
    sprt: Option<Sprt>,
    pairings: HashMap<[usize; 2], Pairing>,
    /// For each engine, how many games it lost by what fault.
    faults: Vec<BTreeMap<Reason, u64>>,
    /// Hashes of the games that ended without a fault, and how many of those are another one once more.
    played: HashSet<u64>,
    repeated: u64,
    /// Lines before the table.
    standing: Vec<String>,
}

impl Results {
    /// No results yet. With `repeat`, openings are played in pairs of games.
    pub fn new(names: Vec<String>, repeat: bool, sprt: Option<Sprt>) -> Self {
        let faults = vec![BTreeMap::new(); names.len()];
        let (pairings, played) = (HashMap::new(), HashSet::new());
        Self { names, repeat, sprt, pairings, faults, played, repeated: 0, standing: Vec::new() }
    }

    /// Takes a finished game of `players`, White first. A damaged result counts as a draw.
    pub fn add_game(&mut self, players: [usize; 2], record: &GameRecord) {
        let white = record.white_half_points().unwrap_or(1);
        self.add(players, record.opening, white, record.margin);
        if record.reason.is_fault() {
            let loser = match white {
                0 => players[0],
                2 => players[1],
                _ => return,
            };
            *self.faults[loser].entry(record.reason).or_default() += 1;
        } else {
            let mut hash = DefaultHasher::new();
            (players, &record.fen).hash(&mut hash);
            record.moves.iter().for_each(|turn| turn.text.hash(&mut hash));
            self.repeated += u64::from(!self.played.insert(hash.finish()));
        }
    }

    /// The engines that lost games by faults, and how many by each fault, the most frequent one first.
    fn counted_faults(&self) -> impl Iterator<Item = (&str, Vec<(Reason, u64)>)> {
        let all = self.names.iter().zip(&self.faults).filter(|(_, faults)| !faults.is_empty());
        all.map(|(name, faults)| {
            // In the same order whichever game ended first.
            let mut counts: Vec<_> = faults.iter().map(|(&reason, &count)| (reason, count)).collect();
            counts.sort_by_key(|&(_, count)| Reverse(count));
            (name.as_str(), counts)
        })
    }

    /// Lines on games that say less than the rest: whether all were drawn, how many are another one once more, and for
    /// each engine how many it lost by faults of its program.
    pub fn remarks(&self) -> impl Iterator<Item = String> {
        let games = self.games();
        let draws: u64 = self.pairings.keys().map(|&pairing| self.counts(pairing).0[1]).sum();
        let level = (games > 1 && draws == games)
            .then(|| format!("All {games} games were drawn: they do not tell the engines apart"));
        let repeated = (self.repeated > 0).then(|| {
            let (games, verb) = (self.games(), if self.repeated == 1 { "repeats" } else { "repeat" });
            format!("{} of {games} games {verb} another one turn for turn: the true error is larger", self.repeated)
        });
        level.into_iter().chain(repeated).chain(self.counted_faults().map(|(name, faults)| {
            let games: u64 = faults.iter().map(|(_, count)| count).sum();
            let each: Vec<_> = faults.iter().map(|(reason, count)| format!("{} {count}", reason.words())).collect();
            let games = if games == 1 { "1 game".to_owned() } else { format!("{games} games") };
            format!("{name} lost {games} by faults: {}", each.join(", "))
        }))
    }

    /// Takes the result of a game: `players` with White first, White's half points and, if it is known, margin.
    pub fn add(&mut self, players: [usize; 2], opening: u64, white: u64, margin: Option<f64>) {
        let [a, b] = players;
        let (key, first, is_white) = if a < b { ([a, b], white, true) } else { ([b, a], 2 - white, false) };
        let pairing = self.pairings.entry(key).or_default();
        let counts = if is_white { &mut pairing.as_white } else { &mut pairing.as_black };
        counts[first as usize] += 1;
        if let Some(margin) = margin {
            pairing.margin += if is_white { margin } else { -margin };
            pairing.margins += 1;
        }
        if self.repeat {
            match pairing.open.remove(&opening) {
                Some(other) => pairing.pairs[(other + first) as usize] += 1,
                None => _ = pairing.open.insert(opening, first),
            }
        }
    }

    /// Takes lines that the report begins with: [`Fixtures::standing`](super::Fixtures::standing).
    pub fn tell(&mut self, standing: Vec<String>) {
        self.standing = standing;
    }

    /// Games so far.
    pub fn games(&self) -> u64 {
        self.pairings.values().map(|pairing| pairing.as_white.iter().chain(&pairing.as_black).sum::<u64>()).sum()
    }

    /// Losses, draws and wins of the first of two engines.
    pub fn counts(&self, pairing: [usize; 2]) -> Counts<3> {
        let found = self.pairings.get(&pairing).cloned().unwrap_or_default();
        Counts([0, 1, 2].map(|i| found.as_white[i] + found.as_black[i]))
    }

    /// Its pairs of games by score.
    pub fn pairs(&self, pairing: [usize; 2]) -> Counts<5> {
        Counts(self.pairings.get(&pairing).map_or([0; 5], |found| found.pairs))
    }

    /// The margins of all games of two engines added up, from the view of the first, and how many games have one.
    pub fn margin(&self, [a, b]: [usize; 2]) -> (f64, u64) {
        let (key, sign) = if a < b { ([a, b], 1.0) } else { ([b, a], -1.0) };
        self.pairings.get(&key).map_or((0.0, 0), |found| (sign * found.margin + 0.0, found.margins))
    }

    /// The margins of all games of an engine added up, and how many games have one. They break ties.
    pub fn margin_of(&self, engine: usize) -> (f64, u64) {
        let others = (0..self.names.len()).filter(|&other| other != engine);
        others.map(|other| self.margin([engine, other])).fold((0.0, 0), |(a, m), (b, n)| (a + b, m + n))
    }

    /// The first engine's difference to the second: by pairs of games where there are any.
    pub fn elo(&self, pairing: [usize; 2]) -> Elo {
        let pairs = self.pairs(pairing);
        if pairs.total() > 0 { pairs.elo() } else { self.counts(pairing).elo() }
    }

    /// The difference of [`elo`](Self::elo) if it has bounds: `None` while games are too few, or all went alike.
    pub fn known_elo(&self, pairing: [usize; 2]) -> Option<Elo> {
        let pairs = self.pairs(pairing);
        if pairs.total() > 0 { pairs.known_elo() } else { self.counts(pairing).known_elo() }
    }

    /// An interval of 95 % for the difference that holds for few games too, each end infinite where nothing bounds it.
    pub fn elo_interval(&self, pairing: [usize; 2]) -> [f64; 2] {
        let pairs = self.pairs(pairing);
        if pairs.total() > 0 { pairs.elo_interval() } else { self.counts(pairing).elo_interval() }
    }

    /// The difference of two engines in words.
    fn difference(&self, pairing: [usize; 2]) -> String {
        if let Some(Elo { difference, error }) = self.known_elo(pairing) {
            let superiority = self.superiority(pairing) * 100.0;
            return format!("Elo difference: {difference:.1} +/- {error:.1}, LOS: {superiority:.1} %");
        }
        let [low, high] = self.elo_interval(pairing);
        let bounds = match (low.is_finite(), high.is_finite()) {
            (true, true) => format!("between {low:.0} and {high:.0}"),
            (true, false) => format!("more than {low:.0}"),
            (false, true) => format!("less than {high:.0}"),
            (false, false) => return "Elo difference: not known yet".to_owned(),
        };
        format!("Elo difference: not known yet, {bounds} (95 %)")
    }

    /// The probability that the first of two engines is the stronger one, from 0 to 1.
    pub fn superiority(&self, pairing: [usize; 2]) -> f64 {
        let pairs = self.pairs(pairing);
        if pairs.total() > 0 { pairs.superiority() } else { self.counts(pairing).superiority() }
    }

    /// The log-likelihood ratio of the test, if there is one.
    pub fn ratio(&self) -> Option<f64> {
        let pairing = [0, 1];
        self.sprt
            .map(|test| if self.repeat { test.ratio(&self.pairs(pairing)) } else { test.ratio(&self.counts(pairing)) })
    }

    /// The decision of the test, if it has come to one.
    pub fn verdict(&self) -> Option<Verdict> {
        self.sprt.zip(self.ratio()).and_then(|(test, ratio)| test.verdict(ratio))
    }

    /// The usual line: `Score of A vs B: W - L - D  [0.512] N`.
    pub fn score_line(&self, [a, b]: [usize; 2]) -> String {
        let Counts([losses, draws, wins]) = self.counts([a, b]);
        let score = if wins + losses + draws > 0 { self.counts([a, b]).score() } else { 0.5 };
        let (first, second, total) = (&self.names[a], &self.names[b], wins + losses + draws);
        format!("Score of {first} vs {second}: {wins} - {losses} - {draws}  [{score:.3}] {total}")
    }

    /// The full report, several lines.
    pub fn text(&self) -> String {
        let mut text: String = self.standing.iter().map(|line| format!("{line}\n")).collect();
        if let [first, _] = &self.names[..] {
            let pairing = self.pairings.get(&[0, 1]).cloned().unwrap_or_default();
            let _ = writeln!(text, "{}", self.score_line([0, 1]));
            for (colour, counts) in [("White", Counts(pairing.as_white)), ("Black", Counts(pairing.as_black))] {
                let Counts([losses, draws, wins]) = counts;
                if counts.total() > 0 {
                    let (score, total) = (counts.score(), counts.total());
                    let _ = writeln!(
                        text,
                        "...      {first} playing {colour}: {wins} - {losses} - {draws}  [{score:.3}] {total}"
                    );
                }
            }
            let games = self.counts([0, 1]);
            if games.total() > 0 {
                let draws = games.0[1] as f64 / games.total() as f64 * 100.0;
                let _ = writeln!(text, "{}, DrawRatio: {draws:.1} %", self.difference([0, 1]));
            }
            let pairs = self.pairs([0, 1]);
            if pairs.total() > 0 {
                let _ = write!(text, "Ptnml(0-2): {:?}", pairs.0);
                if pairs.known_elo().is_some() {
                    let Elo { difference, error } = pairs.normalized_elo();
                    let _ = write!(text, ", nElo: {difference:.1} +/- {error:.1}");
                }
                text.push('\n');
            }
            let (margin, games) = self.margin([0, 1]);
            if games > 0 {
                let each = margin / games as f64;
                let _ = writeln!(text, "Margin: {margin:+.1} for {first} in {games} games, {each:+.2} a game");
            }
        } else {
            text.push_str(&self.table());
        }
        if let Some((test, ratio)) = self.sprt.zip(self.ratio()) {
            let (lower, upper) = test.bounds();
            let share = if ratio < 0.0 { ratio / lower } else { ratio / upper } * 100.0;
            let _ = write!(text, "SPRT: llr {ratio:.2} ({share:.1}%), lbound {lower:.2}, ubound {upper:.2}");
            let verdict = match test.verdict(ratio) {
                Some(Verdict::H1) => " - H1 was accepted",
                Some(Verdict::H0) => " - H0 was accepted",
                None => "",
            };
            let _ = writeln!(text, "{verdict}");
        }
        self.remarks().for_each(|line| _ = writeln!(text, "{line}"));
        text
    }

    /// Points of everybody against everybody.
    fn points(&self) -> Vec<Vec<f64>> {
        let count = self.names.len();
        let mut points = vec![vec![0.0; count]; count];
        for &[a, b] in self.pairings.keys() {
            let Counts([losses, draws, wins]) = self.counts([a, b]);
            points[a][b] = wins as f64 + draws as f64 / 2.0;
            points[b][a] = losses as f64 + draws as f64 / 2.0;
        }
        points
    }

    /// Ratings, best first, and the cross table.
    fn table(&self) -> String {
        let points = self.points();
        let found = ratings(&points);
        let mut order: Vec<_> = (0..self.names.len()).collect();
        let margins: Vec<_> = (0..self.names.len()).map(|engine| self.margin_of(engine)).collect();
        // Ratings that are shown alike are.
        let shown = |engine: usize| (found[engine].elo * 10.0).round();
        order.sort_by(|&a, &b| shown(b).total_cmp(&shown(a)).then(margins[b].0.total_cmp(&margins[a].0)));
        let has_margins = margins.iter().any(|(_, games)| *games > 0);
        let width = self.names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(6);
        let mut text = format!("Rank {:<width$} {:>7} {:>7} {:>7} {:>7}", "Name", "Elo", "+/-", "Games", "Score");
        if has_margins {
            let _ = write!(text, " {:>9}", "Margin");
        }
        let cell = |i: usize, j: usize| {
            if i == j { "·".to_owned() } else { format!("{}-{}", points[i][j], points[j][i]) }
        };
        // As narrow as what is in them: many engines are to fit into a terminal.
        let cells = order.iter().flat_map(|&i| order.iter().map(move |&j| (i, j)));
        let narrow = cells.map(|(i, j)| cell(i, j).chars().count()).max().unwrap_or(0).max(2);
        (1..=order.len()).for_each(|place| _ = write!(text, " {place:>narrow$}"));
        text.push('\n');
        for (place, &i) in order.iter().enumerate() {
            let own: f64 = points[i].iter().sum();
            let games = own + points.iter().map(|row| row[i]).sum::<f64>();
            let share = if games > 0.0 { own / games * 100.0 } else { 0.0 };
            let (elo, error) = (found[i].elo, found[i].error);
            let error = if error.is_finite() { format!("{error:.1}") } else { "-".to_owned() };
            let _ = write!(
                text,
                "{:>4} {:<width$} {elo:>7.1} {error:>7} {games:>7} {share:>6.1}%",
                place + 1,
                self.names[i]
            );
            if has_margins {
                let _ = write!(text, " {:>+9.1}", margins[i].0);
            }
            for &j in &order {
                let _ = write!(text, " {:>narrow$}", cell(i, j));
            }
            text.push('\n');
        }
        text
    }

    /// The table for a terminal: who leads, at most `rows` engines. Names are shortened and columns left out where they
    /// do not fit; no line is longer than `width`.
    pub fn live(&self, width: usize, rows: usize) -> Vec<String> {
        let points = self.points();
        let found = ratings(&points);
        let own = |i: usize| points[i].iter().sum::<f64>();
        let games = |i: usize| own(i) + points.iter().map(|row| row[i]).sum::<f64>();
        let margins: Vec<_> = (0..self.names.len()).map(|engine| self.margin_of(engine)).collect();
        let mut order: Vec<_> = (0..self.names.len()).collect();
        let share = |i: usize| if games(i) > 0.0 { own(i) / games(i) } else { 0.5 };
        order.sort_by(|&a, &b| {
            share(b).total_cmp(&share(a)).then(margins[b].0.total_cmp(&margins[a].0)).then(a.cmp(&b))
        });
        let longest = self.names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(4);
        // The most important ones first.
        let mut columns: Vec<(&str, Vec<String>)> = vec![
            ("Points", order.iter().map(|&i| format!("{}", own(i))).collect()),
            ("Games", order.iter().map(|&i| format!("{}", games(i))).collect()),
            ("Score", order.iter().map(|&i| format!("{:.1}%", 100.0 * share(i))).collect()),
            ("Elo", order.iter().map(|&i| format!("{:.0}", found[i].elo)).collect()),
            (
                "+/-",
                order
                    .iter()
                    .map(
                        |&i| if found[i].error.is_finite() { format!("{:.0}", found[i].error) } else { "-".to_owned() },
                    )
                    .collect(),
            ),
        ];
        if margins.iter().any(|(_, games)| *games > 0) {
            columns.push(("Margin", order.iter().map(|&i| format!("{:+.1}", margins[i].0)).collect()));
        }
        let wide = |(title, cells): &(&str, Vec<String>)| {
            1 + cells.iter().map(|cell| cell.chars().count()).chain([title.len()]).max().unwrap_or(0)
        };
        let place = order.len().to_string().len();
        let taken = |columns: &[(&str, Vec<String>)]| place + 1 + columns.iter().map(wide).sum::<usize>();
        // A name of which eight characters are left can still be told.
        while !columns.is_empty() && taken(&columns) + longest.min(8) > width {
            columns.pop();
        }
        let room = width.saturating_sub(taken(&columns)).min(longest);
        let shortened = |name: &str| match name.chars().count() > room {
            true => name.chars().take(room.saturating_sub(1)).chain(['…']).take(room).collect(),
            false => name.to_owned(),
        };
        let row = |number: &str, name: &str, cells: &dyn Fn(usize) -> String| {
            let mut line = format!("{number:>place$} {:<room$}", shortened(name));
            for (index, column) in columns.iter().enumerate() {
                let _ = write!(line, "{:>1$}", cells(index), wide(column));
            }
            line.chars().take(width).collect::<String>()
        };
        let mut lines = vec![row("", "Name", &|index| columns[index].0.to_owned())];
        for (at, &i) in order.iter().enumerate().take(rows) {
            lines.push(row(&(at + 1).to_string(), &self.names[i], &|index| columns[index].1[at].clone()));
        }
        if order.len() > rows {
            let more = format!("{:place$} and {} more", "", order.len() - rows);
            lines.push(more.chars().take(width).collect());
        }
        lines
    }

    /// The results as `result.json` has them.
    pub fn json(&self) -> serde_json::Value {
        let finite = |x: f64| if x.is_finite() { serde_json::json!(x) } else { serde_json::Value::Null };
        let mut pairings: Vec<_> = self.pairings.keys().copied().collect();
        pairings.sort_unstable();
        let pairing = |[a, b]: [usize; 2]| {
            let Counts([losses, draws, wins]) = self.counts([a, b]);
            let elo = self.known_elo([a, b]);
            let [low, high] = self.elo_interval([a, b]);
            let (margin, margins) = self.margin([a, b]);
            serde_json::json!({
                "first": self.names[a], "second": self.names[b], "wins": wins, "losses": losses, "draws": draws,
                "pairs": self.pairs([a, b]).0, "elo": elo.map(|elo| elo.difference), "error": elo.map(|elo| elo.error),
                "interval": [finite(low), finite(high)], "los": elo.map(|_| self.superiority([a, b])),
                "margin": (margins > 0).then_some(margin), "margins": margins,
            })
        };
        let ratings: Vec<_> = ratings(&self.points())
            .iter()
            .zip(&self.names)
            .map(|(rating, name)| serde_json::json!({"name": name, "elo": finite(rating.elo), "error": finite(rating.error)}))
            .collect();
        let fault = |name, (reason, count)| serde_json::json!({"name": name, "reason": reason, "games": count});
        let faults: Vec<_> = self
            .counted_faults()
            .flat_map(|(name, faults)| faults.into_iter().map(move |counted| fault(name, counted)))
            .collect();
        let verdict = self.verdict().map(|verdict| if verdict == Verdict::H1 { "H1" } else { "H0" });
        serde_json::json!({
            "games": self.games(), "pairings": pairings.into_iter().map(pairing).collect::<Vec<_>>(), "ratings": ratings,
            "faults": faults, "repeated": self.repeated, "llr": self.ratio(), "verdict": verdict, "standing": self.standing,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::statistics::Model;
    use super::*;

    #[test]
    fn games_are_counted_from_the_first_engines_view_and_by_pairs() {
        let names = vec!["A".to_owned(), "B".to_owned()];
        let test = Sprt { elo0: 0.0, elo1: 50.0, alpha: 0.05, beta: 0.05, model: Model::Logistic };
        let mut results = Results::new(names, true, Some(test));
        results.add([0, 1], 0, 2, Some(3.5));
        results.add([1, 0], 1, 2, Some(1.5));
        results.add([1, 0], 0, 1, None);
        assert_eq!(results.counts([0, 1]), Counts([1, 1, 1]));
        assert_eq!(results.pairs([0, 1]), Counts([0, 0, 0, 1, 0]));
        assert_eq!(results.score_line([0, 1]), "Score of A vs B: 1 - 1 - 1  [0.500] 3");
        let text = results.text();
        assert!(text.contains("Margin: +2.0 for A in 2 games, +1.00 a game\n"), "{text}");
        assert_eq!((results.margin([1, 0]), results.margin_of(1)), ((-2.0, 2), (-2.0, 2)));
        // One pair tells no difference.
        assert!(text.contains("Elo difference: not known yet, between -"), "{text}");
        assert!(text.contains("DrawRatio: 33.3 %\nPtnml(0-2): [0, 0, 0, 1, 0]\n"), "{text}");
        assert_eq!(results.json()["pairings"][0]["error"], serde_json::Value::Null);
        assert!(results.json()["pairings"][0]["interval"][0].as_f64().is_some_and(|low| low < -100.0));
        assert!(text.contains("A playing Black: 0 - 1 - 1  [0.250] 2\n") && text.contains("SPRT: llr 0."), "{text}");
        (2..60).for_each(|opening| {
            results.add([0, 1], opening, 2, None);
            results.add([1, 0], opening, 0, None);
        });
        assert_eq!(results.verdict(), Some(Verdict::H1));
        assert!(results.text().contains("H1 was accepted"));
    }

    #[test]
    fn three_engines_get_a_table() {
        let mut results = Results::new(["A", "B", "C"].map(str::to_owned).to_vec(), true, None);
        for (players, white) in [([0, 1], 0), ([1, 0], 2), ([2, 0], 1), ([2, 1], 0)] {
            results.add(players, 0, white, None);
        }
        let text = results.text();
        assert!(!text.contains("Margin"), "{text}");
        let rows: Vec<_> = text.lines().collect();
        assert!(rows[1].contains("1 B") && rows[1].ends_with("2-0"), "{text}");
        assert_eq!(results.json()["ratings"][1]["name"], "B");
    }

    #[test]
    fn the_live_table_fits_every_terminal() {
        let names = ["a", "a rather long name of an engine with its version 1.2.3", "ünïcödé", "d"];
        let mut results = Results::new(names.map(str::to_owned).to_vec(), true, None);
        for (players, white) in [([0, 1], 0), ([1, 2], 2), ([2, 3], 1), ([3, 0], 2)] {
            results.add(players, 0, white, Some(1.5 * (white as f64 - 1.0)));
        }
        for width in 1..200 {
            for rows in [0, 2, 9] {
                let lines = results.live(width, rows);
                assert!(lines.iter().all(|line| line.chars().count() <= width), "{width}: {lines:?}");
                assert_eq!(lines.len(), 1 + rows.min(4) + usize::from(rows < 4));
            }
        }
        let wide = results.live(120, 9);
        assert_eq!(
            wide[0].split_whitespace().collect::<Vec<_>>(),
            ["Name", "Points", "Games", "Score", "Elo", "+/-", "Margin"]
        );
        assert!(
            wide[1].starts_with("1 a rather long name of an engine with its version 1.2.3      2     2 100.0%"),
            "{wide:?}"
        );
        // Half points, and ties in the order of margins.
        assert!(wide[2].starts_with("2 d ") && wide[3].starts_with("3 ünïcödé "), "{wide:?}");
        let narrow = results.live(30, 2);
        assert_eq!(narrow[0], "  Name     Points Games  Score");
        assert_eq!(narrow[1], "1 a rathe…      2     2 100.0%");
        assert_eq!(narrow[3], "  and 2 more");
        assert_eq!(results.live(12, 1)[1], "1 a rather …");
    }

    fn record(result: &str, reason: Reason, turns: &[&str]) -> GameRecord {
        let moves: Vec<_> = turns.iter().map(|turn| serde_json::json!({"move": turn})).collect();
        let record = serde_json::json!({
            "game": 0, "opening": 0, "variant": "amazons", "fen": "", "white": "", "black": "", "moves": moves,
            "result": result, "reason": reason, "detail": "", "final_fen": "",
        });
        serde_json::from_value(record).unwrap()
    }

    #[test]
    fn games_that_repeat_another_one_are_counted() {
        let mut results = Results::new(["A", "B"].map(str::to_owned).to_vec(), true, None);
        let (short, long) = (&["d1d7,d7g7"][..], &["d1d7,d7g7", "a7b7,b7c7"][..]);
        for (players, reason, turns) in [
            ([0, 1], Reason::Rules, short),
            // Colours and turns are others, and a crash repeats nothing.
            ([1, 0], Reason::Rules, short),
            ([0, 1], Reason::Rules, long),
            ([0, 1], Reason::Crash, short),
        ] {
            results.add_game(players, &record("1-0", reason, turns));
        }
        assert!(!results.text().contains("repeat"), "{}", results.text());
        results.add_game([0, 1], &record("1-0", Reason::Resignation, short));
        let first = results.remarks().next();
        assert_eq!(first.as_deref(), Some("1 of 5 games repeats another one turn for turn: the true error is larger"));
        results.add_game([1, 0], &record("1-0", Reason::Rules, short));
        assert!(results.text().contains("\n2 of 6 games repeat another one "), "{}", results.text());
        assert_eq!(results.json()["repeated"], 2);
    }

    #[test]
    fn games_lost_by_faults_are_told() {
        let mut results = Results::new(["A", "B", "C"].map(str::to_owned).to_vec(), true, None);
        for (players, result, reason) in [
            ([0, 1], "1-0", Reason::Silence),
            ([1, 0], "0-1", Reason::Silence),
            ([1, 2], "1-0", Reason::Rules),
            ([1, 2], "0-1", Reason::Time),
            ([2, 0], "0-1", Reason::Crash),
            ([2, 0], "1/2-1/2", Reason::MaxMoves),
        ] {
            results.add_game(players, &record(result, reason, &[]));
        }
        let told = ["B lost 3 games by faults: no answer 2, out of time 1", "C lost 1 game by faults: a crash 1"];
        assert_eq!(results.remarks().collect::<Vec<_>>(), told);
        assert!(results.text().ends_with(&format!("{}\n", told.join("\n"))), "{}", results.text());
        assert_eq!(results.json()["faults"][1], serde_json::json!({"name": "B", "reason": "time", "games": 1}));
        assert_eq!(results.counts([0, 2]), Counts([0, 1, 1]));
    }

    #[test]
    fn margins_break_ties_of_the_table() {
        let mut results = Results::new(["A", "B", "C"].map(str::to_owned).to_vec(), true, None);
        for (players, margin) in [([0, 1], 0.5), ([1, 2], 4.5), ([2, 0], 2.5)] {
            results.add(players, 0, 2, Some(margin));
        }
        let text = results.text();
        let rows: Vec<Vec<_>> = text.lines().map(|row| row.split_whitespace().collect()).collect();
        assert_eq!(rows[0][6], "Margin");
        assert_eq!(
            rows[1..].iter().map(|row| (row[1], row[6])).collect::<Vec<_>>(),
            [("B", "+4.0"), ("A", "-2.0"), ("C", "-2.0")]
        );
    }
}
