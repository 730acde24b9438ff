//! Which line of a folder is false, once a proof of what it says has failed.

use super::super::ProvingError;
use super::super::folder::{self, Folder, Line};
use super::super::tree::FREE;
use super::{Options, Run};
use hippolyta::endgame::amazons::{Fact, Numbers, Situation};
use hippolyta::games::Notation;
use hippolyta::games::amazons::Amazons;

impl Run {
    /// An error that names the first line of the folder's log whose result a new search, which believes none of them,
    /// finds false: one about the `doubted` positions, else any. `None` if there is none, or `go_on` said no.
    pub(in crate::proving) fn first_false_line(
        &self,
        doubted: &[Amazons],
        go_on: &dyn Fn() -> bool,
    ) -> Result<Option<ProvingError>, ProvingError> {
        let Some(path) = self.folder().as_ref().map(Folder::path) else { return Ok(None) };
        let fresh = Self::before(&self.variant, self.root.fen().as_str(), Options { threads: 1, ..self.options })?;
        let doubted: Vec<_> = doubted.iter().map(|position| (fresh.prover.situation(0, position), *position)).collect();
        let read = folder::read_log(&path, |line| fresh.check(&line, Some(&doubted), go_on));
        let read = read.and_then(|_| folder::read_log(&path, |line| fresh.check(&line, None, go_on)));
        // What took long on the way of those searches tells of such results.
        let found = fresh.prover.facts(0);
        let is_false = |fact: &Fact| {
            let denies = |found: &Fact| {
                found.wins != fact.wins && fact.covers(&Situation { key: found.key, spare: found.spare })
            };
            found.iter().any(denies)
        };
        let read = read.and_then(|_| {
            folder::read_log(&path, |line| match line.fact() {
                Some(fact) if is_false(&fact) => Err("a false result".to_owned()),
                _ => Ok(()),
            })
        });
        Ok(read.err().map(ProvingError::from))
    }

    /// An error if this line says of a position, or of one of `only` these, that it is decided, and a search finds the
    /// opposite.
    fn check(
        &self,
        line: &Line,
        only: Option<&[(Situation, Amazons)]>,
        go_on: &dyn Fn() -> bool,
    ) -> Result<(), String> {
        let is_false = |position: &Amazons, said: bool| {
            let found = || self.prover.search(0, position, u64::MAX, FREE, go_on).0.result();
            self.prover.sees(position) && go_on() && found() == Some(!said)
        };
        let compare = |position: &Amazons, numbers: [u32; 2], at: &str| {
            let Some(said) = folder::numbers(numbers).and_then(Numbers::result) else { return Ok(()) };
            let is_meant = |only: &[(Situation, Amazons)]| {
                self.prover.sees(position) && {
                    let situation = self.prover.situation(0, position);
                    only.iter().any(|(known, _)| *known == situation)
                }
            };
            if !only.is_none_or(is_meant) || !is_false(position, said) {
                return Ok(());
            }
            let [said, found] = [said, !said].map(|wins| if wins { "wins" } else { "loses" });
            Err(format!("a false result: after '{at}' the side to move {found}, not {said},"))
        };
        match line {
            Line::Searched { at, numbers, .. } => compare(&self.position_after(at)?, *numbers, at),
            Line::Expanded { at, turns } => turns.iter().try_for_each(|(turn, numbers)| {
                let at = format!("{at} {turn}");
                compare(&self.position_after(&at)?, *numbers, at.trim_start())
            }),
            Line::Proven { .. } => {
                let Some(fact) = line.fact() else { return Ok(()) };
                let mut covered = only.iter().copied().flatten().filter(|(situation, _)| fact.covers(situation));
                let is_false = covered.any(|(_, position)| is_false(position, fact.wins));
                if is_false { Err("a false result".to_owned()) } else { Ok(()) }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hippolyta::games::variant;

    #[test]
    fn a_false_fact_is_named_by_its_line_once_a_proof_needs_it() {
        let path = std::env::temp_dir().join(format!("hippolyta-doubt-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        let (variant, fen) = (variant::find("amazons").unwrap(), "1qq1/q2q/Q2Q/1QQ1 w - - 0 1");
        let open = || Run::new(&variant, fen, Some(&path), Options { hash: 1 << 20, ..Options::default() }).unwrap();
        let run = open();
        run.keep(None).unwrap();
        // Every turn loses; one of them is said to win.
        let turns = run.turns(0, run.position());
        let (_, Situation { key, spare }, _) = turns.iter().find(|turn| turn.2.result().is_none()).unwrap();
        let fact = Fact { key: *key, spare: *spare, wins: false, work: 1 };
        run.folder().as_mut().unwrap().write(&[Line::proven(&fact)]).unwrap();
        drop(run);
        let run = open();
        assert_eq!(run.result(), Some(true));
        let error = run.proof(&|| true, &mut |_, _| ()).unwrap_err().to_string();
        assert!(error.contains("log.jsonl: a false result in line 2, at byte "), "{error}");
        drop(run);
        std::fs::remove_dir_all(&path).unwrap();
    }
}
