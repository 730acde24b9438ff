//! The frame of a page that stands alone.

use super::figures;
use super::look::SHEET;
use std::fmt::Write as _;

const LAYOUT: &str = include_str!("page.css");

/// Text that means itself in HTML and SVG, also within quotes.
///
/// ```
/// assert_eq!(hippolyta_protocol::pictures::escaped("a<b & \"c\""), "a&lt;b &amp; &quot;c&quot;");
/// ```
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// An HTML page in one file: it loads nothing, and its script, if it has one, is its own. Light or dark as the system
/// says; on paper black on white.
///
/// ```
/// use hippolyta_protocol::pictures::Page;
///
/// let mut page = Page::new("A & B");
/// page.push("<h1>Hello</h1>");
/// let text = page.finish("");
/// assert!(text.starts_with("<!doctype html>") && text.contains("<title>A &amp; B</title>"));
/// assert!(!text.contains("<script"));
/// ```
pub struct Page {
    text: String,
}

impl Page {
    /// A page with this title, which is plain text.
    pub fn new(title: &str) -> Self {
        let mut text = String::from("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
        text.push_str("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
        text.push_str("<meta name=\"color-scheme\" content=\"light dark\">\n");
        // Names in a record are other people's text: whatever slips through can load nothing.
        text.push_str(
            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; \
             script-src 'unsafe-inline'\">\n",
        );
        let _ = writeln!(text, "<title>{}</title>\n<style>\n{SHEET}{LAYOUT}</style>\n</head>\n<body>", escaped(title));
        let _ = writeln!(
            text,
            "<svg class=\"definitions\" width=\"0\" height=\"0\" aria-hidden=\"true\">{}</svg>\n<main>",
            figures::definitions()
        );
        Self { text }
    }

    /// Appends HTML to the body.
    pub fn push(&mut self, html: &str) {
        self.text.push_str(html);
    }

    /// The page with a script at its end; `""` for none.
    pub fn finish(mut self, script: &str) -> String {
        let version = env!("CARGO_PKG_VERSION");
        let _ = writeln!(self.text, "</main>\n<footer>Made by Hippolyta {version}.</footer>");
        if !script.is_empty() {
            let _ = writeln!(self.text, "<script>\n{script}</script>");
        }
        self.text + "</body>\n</html>\n"
    }
}
