//! Colours and rules of drawings.

use hippolyta::forks::Lazy;
use std::fmt::Write as _;

/// The style sheet of pages.
pub(super) const SHEET: &str = include_str!("look.css");

/// A declaration: a property or a variable, and its value.
type Said = (&'static str, &'static str);

/// A rule of the sheet.
struct Rule {
    /// The names that it wants of elements around one another, the innermost last.
    wants: Vec<Vec<String>>,
    says: Vec<Said>,
}

/// The declarations between braces.
fn declarations(body: &'static str) -> Vec<Said> {
    body.split(';').filter_map(|said| said.split_once(':')).map(|(name, value)| (name.trim(), value.trim())).collect()
}

/// The variables of the sheet.
static VARIABLES: Lazy<Vec<Said>> = Lazy::new(|| {
    let variables = SHEET.split_once(":root {").and_then(|(_, rest)| rest.split_once('}'));
    variables.map_or_else(Vec::new, |(body, _)| declarations(body))
});

static RULES: Lazy<Vec<Rule>> = Lazy::new(|| {
    let mut rules = Vec::new();
    for (selectors, body) in SHEET.split('}').skip(1).filter_map(|rule| rule.split_once('{')) {
        // `.a :is(.b, .c)` is `.a .b, .a .c`.
        let listed: Vec<String> = match selectors.split_once(":is(") {
            Some((around, parts)) => {
                parts.trim().trim_end_matches(')').split(',').map(|part| format!("{around}{part}")).collect()
            }
            None => selectors.split(',').map(str::to_owned).collect(),
        };
        for selector in listed {
            let names = |part: &str| {
                let parted = part.replace('.', " .").replace('#', " #");
                parted.split_whitespace().map(str::to_owned).collect()
            };
            rules.push(Rule { wants: selector.split_whitespace().map(names).collect(), says: declarations(body) });
        }
    }
    rules
});

/// A variable's value in the light theme.
pub(super) fn light(name: &str) -> &'static str {
    let value = VARIABLES.iter().find(|(known, _)| *known == name).map_or("none", |&(_, value)| value);
    // Commas stand between the two colours, and nowhere else: colours are written with blanks.
    value.strip_prefix("light-dark(").and_then(|both| both.split(',').next()).unwrap_or(value)
}

/// The colours of the light theme by their names in the sheet, such as `--frame`.
pub fn colours() -> impl Iterator<Item = (&'static str, &'static str)> {
    VARIABLES.iter().map(|&(name, _)| (name, light(name)))
}

/// An element of a drawing: its tag, classes and id as selectors name them, and the variables that it sets.
struct Element {
    names: Vec<String>,
    variables: Vec<Said>,
}

impl Rule {
    /// Whether it speaks of the last of these elements, each of which stands within the one before.
    fn is_of(&self, elements: &[Element]) -> bool {
        let has = |element: &Element, wanted: &[String]| wanted.iter().all(|name| element.names.contains(name));
        let (Some((own, around)), Some((innermost, outer))) = (self.wants.split_last(), elements.split_last()) else {
            return false;
        };
        let mut outer = outer.iter().rev();
        has(innermost, own) && around.iter().rev().all(|wanted| outer.any(|element| has(element, wanted)))
    }
}

/// The value of an attribute in a tag.
fn attribute<'a>(tag: &'a str, name: &str) -> Option<&'a str> {
    tag.split_once(&format!(" {name}=\""))?.1.split('"').next()
}

/// Attributes that an element inherits anyway, or no program but a browser reads.
const LEFT_OUT: [&str; 3] = ["font-family", "font-variant-numeric", "letter-spacing"];

/// A drawing with attributes in place of the classes that the sheet knows: style sheets inside a picture are dropped by
/// many programs, and on a page they would reach beyond it. Names of patterns get `prefix` in place of `hatch-`.
pub(super) fn painted(drawing: &str, prefix: &str) -> String {
    let mut painted = String::with_capacity(2 * drawing.len());
    let mut elements: Vec<Element> = Vec::new();
    // Our own drawings have `<` and `>` at the ends of tags alone.
    for part in drawing.split('<').skip(1) {
        let (tag, text) = part.split_once('>').unwrap_or((part, ""));
        if tag.starts_with('/') {
            elements.pop();
            let _ = write!(painted, "<{tag}>{text}");
            continue;
        }
        let (tag, end) = tag.strip_suffix('/').map_or((tag, ""), |tag| (tag, "/"));
        let class = attribute(tag, "class");
        let mut names: Vec<_> =
            class.iter().flat_map(|names| names.split(' ')).map(|name| format!(".{name}")).collect();
        names.extend(tag.split(' ').next().map(str::to_owned));
        names.extend(attribute(tag, "id").map(|id| format!("#{id}")));
        elements.push(Element { names, variables: Vec::new() });
        let mut said: Vec<Said> = Vec::new();
        for &(name, value) in RULES.iter().filter(|rule| rule.is_of(&elements)).flat_map(|rule| &rule.says) {
            said.retain(|(known, _)| *known != name);
            said.push((name, value));
        }
        let (variables, said): (Vec<_>, Vec<_>) = said.into_iter().partition(|(name, _)| name.starts_with("--"));
        if let Some(element) = elements.last_mut() {
            element.variables = variables;
        }
        let plain = class.map_or_else(|| tag.to_owned(), |class| tag.replacen(&format!(" class=\"{class}\""), "", 1));
        let _ = write!(
            painted,
            "<{}",
            plain.replace("\"hatch-", &format!("\"{prefix}")).replace("#hatch-", &format!("#{prefix}"))
        );
        for (name, value) in said.into_iter().filter(|(name, _)| !LEFT_OUT.contains(name)) {
            write_attribute(&mut painted, name, value_of(value, &elements));
        }
        let _ = write!(painted, "{end}>{text}");
        if !end.is_empty() {
            elements.pop();
        }
    }
    painted
}

/// A value within these elements; variables have that of the innermost one.
fn value_of(value: &'static str, elements: &[Element]) -> &'static str {
    let Some(name) = value.strip_prefix("var(").and_then(|rest| rest.strip_suffix(')')) else { return value };
    let mut set = elements.iter().rev().flat_map(|element| &element.variables);
    set.find(|(known, _)| *known == name).map_or_else(|| light(name), |&(_, value)| value)
}

/// Few programs but browsers know colours with an opacity.
fn write_attribute(text: &mut String, name: &str, value: &str) {
    let parts = value.strip_prefix("rgb(").and_then(|rest| rest.strip_suffix("%)")?.split_once(" / "));
    match parts.and_then(|(colour, share)| Some((colour, share.parse::<f64>().ok()?))) {
        Some((colour, share)) => {
            let hex: String =
                colour.split(' ').filter_map(|part| part.parse().ok()).map(|part: u8| format!("{part:02x}")).collect();
            let _ = write!(text, " opacity=\"{}\" {name}=\"#{hex}\"", share / 100.0);
        }
        None => {
            let _ = write!(text, " {name}=\"{value}\"");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rules_reach_the_elements() {
        let piece = "<g class=\"piece white\"><path class=\"body edge\" d=\"M0 0\"/></g>";
        assert_eq!(
            painted(piece, ""),
            "<g><path d=\"M0 0\" stroke-linejoin=\"round\" stroke-width=\"0.5\" fill=\"#ddd0b8\" stroke=\"#ddd0b8\"/></g>"
        );
        let last = "<g class=\"last\"><g class=\"from\"><rect class=\"tint\"/></g></g>";
        assert_eq!(painted(last, ""), "<g><g><rect opacity=\"0.42\" fill=\"#e8c442\" fill-opacity=\"0.55\"/></g></g>");
        let arrows = ["best", "threat"].map(|kind| {
            painted(&format!("<g class=\"turn-arrow {kind}\"><path class=\"move\"/><path class=\"cross\"/></g>"), "")
        });
        assert!(arrows[0].contains("fill=\"#0b6e4f\"") && arrows[0].contains("stroke=\"#0b6e4f\""), "{}", arrows[0]);
        assert!(arrows[1].contains("stroke-dasharray=\"10 6\"") && arrows[1].contains("#a4133c"), "{}", arrows[1]);
        let hatch = "<g class=\"marks\"><pattern id=\"hatch-white\"><path class=\"hatch\"/></pattern></g>";
        let painted = painted(hatch, "own-");
        assert!(painted.contains("id=\"own-white\"") && painted.contains("stroke=\"#1f6fb5\""), "{painted}");
    }

    #[test]
    fn every_colour_is_one_of_the_light_theme() {
        assert!(colours().count() > 20 && colours().all(|(_, colour)| !colour.contains("light-dark")));
        assert_eq!(light("--square-dark"), "#e0cba8");
    }
}
