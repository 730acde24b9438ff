//! The results of a match as an HTML page that stands alone.

use super::client::EngineScore;
use super::record::{GameRecord, MoveRecord};
use super::results::Results;
use super::spec::EngineSpec;
use super::statistics::{Elo, ratings};
use hippolyta::engine::Board;
use hippolyta::games::variant::{self, Variant};
use hippolyta_protocol::pictures::{Clip, MOST_SERIES, Page, Series, Viewer, chart, escaped};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// How many times ratings are computed for a graph at most.
const SAMPLES: usize = 60;

/// With fewer games the intervals would hide all that follows.
const FEWEST: usize = 4;

/// A match, as [`results_page`] shows it.
pub struct Match<'a> {
    /// The description of the match, as in `match.json`.
    pub configuration: &'a Value,
    /// The finished games in the order of their numbers.
    pub games: &'a [GameRecord],
    /// Their results.
    pub results: &'a Results,
    /// The number of games that the match is to have; a knockout may need more.
    pub planned: u64,
}

/// The results as an HTML page in one file, which loads nothing: ratings with their intervals, the cross table,
/// strength over games, how games ended, every game to click through, and the settings.
pub fn results_page(shown: &Match<'_>) -> String {
    let engines: Vec<EngineSpec> = serde_json::from_value(shown.configuration["engines"].clone()).unwrap_or_default();
    let names: Vec<_> = engines.iter().map(|engine| engine.name.as_str()).collect();
    let title = match names[..] {
        [first, second] => format!("{first} against {second}"),
        _ => format!("{} of {} engines", capital(word(&shown.configuration["tournament"])), names.len()),
    };
    let (title, head) = match word(&shown.configuration["title"]) {
        "" => (title.clone(), format!("{title} – results")),
        own => (own.to_owned(), own.to_owned()),
    };
    let mut page = Page::new(&head);
    let named = word(&shown.configuration["variant"]);
    let found = variant::find(named).ok();
    let occasion = ["event", "site", "date"].map(|field| word(&shown.configuration[field]));
    let occasion = occasion.into_iter().filter(|said| !said.is_empty() && *said != title);
    let own = found.as_ref().and_then(Variant::own);
    let variant =
        [own.map_or(named, |own| own.title.as_str())].into_iter().chain(occasion).collect::<Vec<_>>().join(" · ");
    let played = match shown.games.len() {
        count if count as u64 != shown.planned => format!("{count} of {} games", shown.planned),
        count => format!("{count} {}", if count == 1 { "game" } else { "games" }),
    };
    page.push(&format!(
        "<header>\n<h1>{}</h1>\n<p class=\"lead\">{} · {played}</p>\n</header>\n",
        escaped(&title),
        escaped(&variant)
    ));
    if shown.games.is_empty() {
        page.push("<p>No game is finished yet.</p>\n");
    } else {
        standing(&mut page, shown, &names);
        strength(&mut page, shown, &names);
        ends(&mut page, shown.games);
        games(&mut page, shown.games);
    }
    settings(&mut page, shown.configuration, &engines);
    let script = if shown.games.is_empty() { "" } else { Viewer::SCRIPT };
    page.finish(script)
}

fn word(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// A whole number with its sign.
pub(crate) fn signed(value: f64) -> String {
    let rounded = format!("{:.0}", value.abs());
    match rounded.as_str() {
        "0" => rounded,
        _ if value < 0.0 => format!("−{rounded}"),
        _ => format!("+{rounded}"),
    }
}

/// `2½`.
fn points(half: u64) -> String {
    match (half / 2, half % 2) {
        (0, 1) => "½".to_owned(),
        (whole, 0) => whole.to_string(),
        (whole, _) => format!("{whole}½"),
    }
}

fn place(names: &[&str], name: &str) -> Option<usize> {
    names.iter().position(|known| *known == name)
}

/// Half points of everybody against everybody.
fn half_points(games: &[GameRecord], names: &[&str]) -> Vec<Vec<u64>> {
    let mut points = vec![vec![0; names.len()]; names.len()];
    for game in games {
        if let (Some(white), Some(black), Some(half)) =
            (place(names, &game.white), place(names, &game.black), game.white_half_points())
        {
            points[white][black] += half;
            points[black][white] += 2 - half;
        }
    }
    points
}

fn as_points(half: &[Vec<u64>]) -> Vec<Vec<f64>> {
    half.iter().map(|row| row.iter().map(|&half| half as f64 / 2.0).collect()).collect()
}

/// Ratings, best first, and who scored what against whom.
fn standing(page: &mut Page, shown: &Match<'_>, names: &[&str]) {
    let half = half_points(shown.games, names);
    let found = ratings(&as_points(&half));
    let mut order: Vec<_> = (0..names.len()).collect();
    order.sort_by(|&a, &b| found[b].elo.total_cmp(&found[a].elo));
    let reach = |i: usize| if found[i].error.is_finite() { found[i].elo.abs() + found[i].error } else { 0.0 };
    let widest = order.iter().map(|&i| reach(i)).fold(1.0, f64::max);
    let mut html = String::from(
        "<h2 id=\"standing\">Standing</h2>\n<div class=\"scroll\" role=\"region\" aria-labelledby=\"standing\" tabindex=\"0\">\n\
         <table>\n<thead><tr><th scope=\"col\" class=\"number\">Rank</th><th scope=\"col\">Engine</th>\
         <th scope=\"col\" class=\"number\">Elo</th><th scope=\"col\">95 % interval</th><th scope=\"col\" class=\"number\">Points</th>\
         <th scope=\"col\" class=\"number\">Games</th><th scope=\"col\" class=\"number\">Score</th>",
    );
    for place in 1..=order.len() {
        let _ = write!(
            html,
            "<th scope=\"col\" class=\"number\"><abbr title=\"Points against rank {place}\">{place}</abbr></th>"
        );
    }
    html.push_str("</tr></thead>\n<tbody>\n");
    for (rank, &i) in order.iter().enumerate() {
        let (own, against): (u64, u64) = (half[i].iter().sum(), half.iter().map(|row| row[i]).sum());
        let games = (own + against) / 2;
        let share = if games > 0 { format!("{:.1} %", 50.0 * own as f64 / games as f64) } else { "–".to_owned() };
        let (elo, error) = (found[i].elo, found[i].error);
        let (said, drawn) = if games > 0 && error.is_finite() {
            let at = |value: f64| 50.0 + 50.0 * value / widest;
            let drawn = format!(
                "<span class=\"whiskers\" aria-hidden=\"true\"><i style=\"left:{:.1}%;width:{:.1}%\"></i><b style=\"left:{:.1}%\"></b></span>",
                at(elo - error),
                100.0 * error / widest,
                at(elo)
            );
            (format!("{} ± {error:.0}", signed(elo)), drawn)
        } else {
            ("–".to_owned(), String::new())
        };
        let _ = write!(
            html,
            "<tr><td class=\"number\">{}</td><th scope=\"row\">{}</th><td class=\"number\">{said}</td><td>{drawn}</td>\
             <td class=\"number\">{}</td><td class=\"number\">{games}</td><td class=\"number\">{share}</td>",
            rank + 1,
            escaped(names[i]),
            points(own),
        );
        for &j in &order {
            let cell = match half[i][j] + half[j][i] {
                _ if i == j => "<td class=\"diagonal\">·</td>".to_owned(),
                0 => "<td class=\"diagonal\">–</td>".to_owned(),
                _ => format!("<td class=\"number\">{}–{}</td>", points(half[i][j]), points(half[j][i])),
            };
            html.push_str(&cell);
        }
        html.push_str("</tr>\n");
    }
    html.push_str(
        "</tbody>\n</table>\n</div>\n<p class=\"soft small\">Ratings by the model of Bradley and Terry with one drawn game added \
         for each pairing, their mean is 0; the interval holds in 95 of 100 matches. Few games leave it wide.</p>\n",
    );
    if names.len() == 2 {
        // With more of them the table is the same.
        let _ = writeln!(html, "<pre class=\"lines\">{}</pre>", escaped(shown.results.text().trim_end()));
    } else {
        shown.results.remarks().for_each(|line| _ = writeln!(html, "<p>{}.</p>", escaped(&line)));
    }
    page.push(&html);
}

/// The strength of all engines after more and more games.
fn strength(page: &mut Page, shown: &Match<'_>, names: &[&str]) {
    let games = shown.games.len();
    if games < 2 * FEWEST {
        return;
    }
    let step = games.div_ceil(SAMPLES).max(1);
    let mut at: Vec<_> = (1..=games / step).map(|sample| sample * step).filter(|count| *count >= FEWEST).collect();
    if at.last() != Some(&games) {
        at.push(games);
    }
    let heading = "<h2>Strength over games</h2>\n";
    if let [first, second] = names[..] {
        let series = Series { name: first.to_owned(), points: difference(shown, names, &at) };
        let up = format!("Elo of {first} above {second}, with the interval of 95 %");
        let label = format!("{up}, after each game. The last value is in the standing.");
        if series.points.len() > 1 {
            page.push(heading);
            page.push(&chart(&[series], "games", &up, &label));
        }
        return;
    }
    page.push(heading);
    let after = |&count: &usize| (count, ratings(&as_points(&half_points(&shown.games[..count], names))));
    let found: Vec<_> = at.iter().map(after).collect();
    let last = found.last().map(|(_, all)| all.clone()).unwrap_or_default();
    let mut order: Vec<_> = (0..names.len()).collect();
    order.sort_by(|&a, &b| last[b].elo.total_cmp(&last[a].elo));
    let line = |&i: &usize| {
        let known = found.iter().filter(|(_, all)| all[i].error.is_finite());
        let points = known.map(|(count, all)| (*count as f64, all[i].elo, 0.0)).collect();
        Series { name: names[i].to_owned(), points }
    };
    let series: Vec<_> = order.iter().take(MOST_SERIES).map(line).collect();
    page.push(&chart(
        &series,
        "games",
        "Elo:",
        "Ratings after more and more games. The last values are in the standing.",
    ));
}

/// The difference of two engines after so many games, as the standing has it; nothing where it is not bounded yet.
fn difference(shown: &Match<'_>, names: &[&str], at: &[usize]) -> Vec<(f64, f64, f64)> {
    let repeat = shown.configuration["repeat"].as_bool().unwrap_or(false);
    let mut results = Results::new(names.iter().map(|&name| name.to_owned()).collect(), repeat, None);
    let mut points = Vec::new();
    for (game, count) in shown.games.iter().zip(1..) {
        if let (Some(white), Some(black), Some(half)) =
            (place(names, &game.white), place(names, &game.black), game.white_half_points())
        {
            results.add([white, black], game.opening, half, None);
        }
        if at.contains(&count) {
            let Elo { difference, error } = results.elo([0, 1]);
            if difference.is_finite() && error.is_finite() && error > 0.0 {
                points.push((count as f64, difference, error));
            }
        }
    }
    points
}

/// How games ended.
fn ends(page: &mut Page, games: &[GameRecord]) {
    let mut counts: BTreeMap<&str, [u64; 4]> = BTreeMap::new();
    for game in games {
        let column = match game.white_half_points() {
            Some(2) => 1,
            Some(1) => 2,
            _ => 3,
        };
        let row = counts.entry(game.reason.words()).or_default();
        row[0] += 1;
        row[column] += 1;
    }
    let mut rows: Vec<_> = counts.into_iter().collect();
    rows.sort_by_key(|(_, row)| std::cmp::Reverse(row[0]));
    let mut html = String::from(
        "<h2>How games ended</h2>\n<div class=\"scroll\"><table>\n<thead><tr><th scope=\"col\">End</th>\
         <th scope=\"col\" class=\"number\">Games</th><th scope=\"col\" class=\"number\">White won</th>\
         <th scope=\"col\" class=\"number\">Drawn</th><th scope=\"col\" class=\"number\">Black won</th></tr></thead>\n<tbody>\n",
    );
    for (name, row) in rows {
        let _ = write!(html, "<tr><th scope=\"row\">{name}</th>");
        row.iter().for_each(|count| _ = write!(html, "<td class=\"number\">{count}</td>"));
        html.push_str("</tr>\n");
    }
    html.push_str("</tbody>\n</table></div>\n");
    page.push(&html);
}

/// The engine's remark on its move.
fn remark(record: &MoveRecord) -> String {
    if record.book {
        return "opening".to_owned();
    }
    let mut words = Vec::new();
    match record.score {
        Some(EngineScore::Cp(value)) => words.push(format!("{:+.2}", f64::from(value) / 100.0).replace('-', "−")),
        Some(EngineScore::Mate(moves)) => {
            words.push(format!("{}M{}", if moves > 0 { "+" } else { "−" }, moves.unsigned_abs()))
        }
        None => {}
    }
    words.extend(record.depth.map(|depth| format!("depth {depth}")));
    words.extend(record.time_us.map(|time| format!("{:.2} s", time as f64 / 1e6)));
    words.join(", ")
}

fn shown_result(result: &str) -> &str {
    match result {
        "1-0" => "1–0",
        "0-1" => "0–1",
        "1/2-1/2" => "½–½",
        other => other,
    }
}

/// Every game to click through.
fn games(page: &mut Page, games: &[GameRecord]) {
    let mut viewer = Viewer::default();
    let mut rows = String::new();
    for game in games {
        let Some(board) = game.rule_set().and_then(|variant| Board::from_fen(&variant, &game.fen).ok()) else {
            continue;
        };
        let result = shown_result(&game.result);
        let mut clip = Clip::new(&format!("Game {}: {} – {}, {result}", game.game + 1, game.white, game.black), &board);
        // A damaged record is shown as far as it is legal.
        let _ = game.moves.iter().try_for_each(|record| {
            let turn = clip.board().read(&record.text).ok()?;
            clip.play(&turn, &remark(record)).ok()
        });
        clip.end(&game.detail);
        viewer.add(clip);
        let number = viewer.len();
        let (name, turns) = (game.game + 1, game.moves.len());
        let [white, black, detail] = [&game.white, &game.black, &game.detail].map(|text| escaped(text));
        let _ = writeln!(
            rows,
            "<tr id=\"t{number}\"><th scope=\"row\"><a href=\"#g{number}-0\">{name}</a></th><td>{white}</td><td>{black}</td>\
             <td>{result}</td><td class=\"number\"><a href=\"#g{number}-{turns}\" \
             aria-label=\"The end of game {name}, after {turns} turns\">{turns}</a></td><td class=\"wide\">{detail}</td></tr>"
        );
    }
    page.push("<h2 id=\"every\">Every game</h2>\n");
    let pgn: String = games.iter().map(GameRecord::text).collect();
    page.push(&format!(
        "<p><a download=\"games.pgn\" href=\"data:application/x-chess-pgn;charset=utf-8,{}\">All games as PGN</a></p>\n",
        in_address(&pgn)
    ));
    page.push(&viewer.html());
    page.push(&format!(
        "<div class=\"scroll tall games\" role=\"region\" aria-labelledby=\"every\" tabindex=\"0\">\n<table>\n<thead><tr>\
         <th scope=\"col\">Game</th><th scope=\"col\">White</th><th scope=\"col\">Black</th><th scope=\"col\">Result</th>\
         <th scope=\"col\" class=\"number\">Turns</th><th scope=\"col\">End</th></tr></thead>\n<tbody>\n{rows}</tbody>\n\
         </table>\n</div>\n"
    ));
}

/// A text within an address, and that within HTML.
fn in_address(text: &str) -> String {
    let mut address = String::with_capacity(text.len() * 3 / 2);
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b',' | b'/' | b'+' | b'=' | b':' => {
                address.push(char::from(byte));
            }
            _ => _ = write!(address, "%{byte:02X}"),
        }
    }
    address
}

/// Labels for the fields of `match.json`.
const SETTINGS: [(&str, &str); 14] = [
    ("variant", "Rule set"),
    ("tournament", "Tournament"),
    ("rounds", "Rounds"),
    ("games", "Games of each pairing in a round"),
    ("repeat", "Each opening twice, with colours swapped"),
    ("openings", "Openings"),
    ("resign", "Resignation"),
    ("draw", "Drawn by scores"),
    ("maxmoves", "Drawn after so many moves"),
    ("sprt", "Sequential test"),
    ("title", "Title"),
    ("event", "Event"),
    ("site", "Site"),
    ("date", "Date"),
];

/// Engines, rules of the match, and the command.
fn settings(page: &mut Page, configuration: &Value, engines: &[EngineSpec]) {
    let mut html = String::from(
        "<h2>Settings</h2>\n<div class=\"scroll\"><table>\n<thead><tr><th scope=\"col\">Engine</th>\
         <th scope=\"col\">As on the command line</th></tr></thead>\n<tbody>\n",
    );
    for engine in engines {
        let words: Vec<_> = engine.words().iter().map(|word| format!("<code>{}</code>", escaped(word))).collect();
        let _ = writeln!(
            html,
            "<tr><th scope=\"row\">{}</th><td class=\"wide\">{}</td></tr>",
            escaped(&engine.name),
            words.join(" ")
        );
    }
    html.push_str("</tbody>\n</table></div>\n<div class=\"scroll settings\"><table>\n<tbody>\n");
    for (name, value) in configuration.as_object().into_iter().flatten() {
        // These have places of their own; the openings themselves may be many.
        if ["engines", "command"].contains(&name.as_str()) || is_nothing(value) {
            continue;
        }
        let said = match (name.as_str(), value) {
            ("openings", Value::Object(parts)) => {
                let words = parts.iter().filter(|(name, value)| *name != "openings" && !is_nothing(value));
                words.map(|(name, value)| format!("{name} {}", plain(value))).collect::<Vec<_>>().join(", ")
            }
            _ => plain(value),
        };
        let name = SETTINGS.iter().find(|(known, _)| known == name).map_or(name.as_str(), |(_, said)| *said);
        let _ = writeln!(
            html,
            "<tr><th scope=\"row\">{}</th><td class=\"wide\">{}</td></tr>",
            escaped(name),
            escaped(&said)
        );
    }
    html.push_str("</tbody>\n</table></div>\n");
    if let Some(command) = configuration["command"].as_str() {
        let _ = writeln!(html, "<h3>The command</h3>\n<pre><code>{}</code></pre>", escaped(command));
    }
    page.push(&html);
}

fn is_nothing(value: &Value) -> bool {
    value.is_null() || value.as_array().is_some_and(Vec::is_empty)
}

/// A value as people read it.
fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Bool(yes) => if *yes { "yes" } else { "no" }.to_owned(),
        Value::Array(items) => items.iter().map(plain).collect::<Vec<_>>().join(" "),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_and_signs_read_as_people_write_them() {
        assert_eq!([0, 1, 2, 5].map(points), ["0", "½", "1", "2½"]);
        assert_eq!([0.4, -12.6, 7.0].map(signed), ["0", "−13", "+7"]);
    }
}
