//! Complaints for whoever runs the server, on standard error: each once, and not too many. Whoever can reach the server
//! could fill a disk with them otherwise.

use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long a line is not said again, and how many lines there may be meanwhile.
const WHILE: Duration = Duration::from_secs(60);
const MOST: usize = 20;

/// Shared by all who complain.
#[derive(Default)]
pub(super) struct Complaints(Mutex<Said>);

#[derive(Default)]
struct Said {
    since: Option<Instant>,
    lines: HashSet<String>,
    /// Complaints that were not shown.
    more: u64,
}

impl Complaints {
    pub fn say(&self, text: &str) {
        for line in self.0.lock().unwrap_or_else(PoisonError::into_inner).lines(text, Instant::now()) {
            crate::complain(&line);
        }
    }
}

impl Said {
    /// Lines to show of a complaint now.
    fn lines(&mut self, text: &str, now: Instant) -> Vec<String> {
        let mut shown = Vec::new();
        if self.since.is_none_or(|since| now.duration_since(since) >= WHILE) {
            if self.more > 0 {
                shown.push(format!("{} more complaints of this kind were not shown", self.more));
            }
            *self = Self { since: Some(now), ..Self::default() };
        }
        if self.lines.len() < MOST && self.lines.insert(text.to_owned()) {
            shown.push(text.to_owned());
        } else {
            self.more += 1;
        }
        shown
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn complaints_come_once_and_are_counted() {
        let (mut said, now) = (Said::default(), Instant::now());
        assert_eq!(said.lines("a", now), ["a"]);
        assert!(said.lines("a", now).is_empty());
        let shown: Vec<_> = (0..100).flat_map(|number| said.lines(&format!("b{number}"), now)).collect();
        assert_eq!(shown.len(), MOST - 1);
        let later = said.lines("a", now + WHILE);
        assert_eq!(
            later,
            [format!("{} more complaints of this kind were not shown", 1 + 100 - (MOST - 1)), "a".into()]
        );
    }
}
