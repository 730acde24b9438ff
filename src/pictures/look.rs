//! Colours and rules of drawings.

use crate::forks::Lazy;

/// The style sheet of pages.
pub(super) const SHEET: &str = include_str!("look.css");

/// The kinds of arrows with their colours, which the sheet names.
fn arrow_colours() -> impl Iterator<Item = (&'static str, &'static str)> {
    SHEET.lines().filter_map(|line| {
        let (kind, rest) = line.strip_prefix(".turn-arrow.")?.split_once(" { --arrow: ")?;
        Some((kind, rest.trim_end_matches("; }")))
    })
}

/// The light one of two colours; the colour itself if there is one.
fn light(value: &str) -> &str {
    let Some(both) = value.strip_prefix("light-dark(") else { return value };
    // Commas stand between the two, and nowhere else: colours are written with blanks.
    both.split(", ").next().unwrap_or(both)
}

/// The rules of the sheet in the light theme without variables: few programs but browsers know these.
pub(super) static PLAIN: Lazy<String> = Lazy::new(|| {
    let Some((variables, rules)) = SHEET.split_once("\n}\n") else { return SHEET.to_owned() };
    let colours: Vec<_> =
        variables.lines().filter_map(|line| line.trim().strip_suffix(';')?.split_once(": ")).collect();
    let mut plain = String::new();
    for rule in rules.lines() {
        if rule.contains("var(--arrow)") {
            for (kind, colour) in arrow_colours() {
                let rule = rule.replace(".turn-arrow ", &format!(".turn-arrow.{kind} "));
                plain.push_str(&rule.replace("var(--arrow)", colour));
            }
        } else if rule.contains("var(") || !rule.contains("--") {
            let named = |text: String, (name, value): &(&str, &str)| {
                text.replace(&format!("var({name})"), &seen_through(light(value)))
            };
            plain.push_str(&colours.iter().fold(rule.to_owned(), named));
        }
    }
    plain
});

/// A colour with an opacity as two declarations of a filled shape.
fn seen_through(colour: &str) -> String {
    let parts = colour.strip_prefix("rgb(").and_then(|rest| rest.strip_suffix("%)")?.split_once(" / "));
    match parts.and_then(|(colour, share)| Some((colour, share.parse::<f64>().ok()?))) {
        Some((colour, share)) => format!("rgb({}); opacity: {}", colour.replace(' ', ", "), share / 100.0),
        None => colour.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_rules_name_every_colour() {
        assert!(!PLAIN.contains("var(") && !PLAIN.contains("light-dark"), "{}", *PLAIN);
        assert!(PLAIN.contains(".ground .dark { fill: #e0cba8; }"));
        assert!(PLAIN.contains(".last .tint { fill: rgb(232, 196, 66); opacity: 0.42; }"));
        assert!(PLAIN.contains(".turn-arrow.best .move, .turn-arrow.best .number circle { fill: #0b6e4f; }"));
        assert_eq!(arrow_colours().count(), 5);
    }
}
