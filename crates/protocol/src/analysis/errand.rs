//! The answer to a line, or what becomes of it: all but what ends other work, which must not wait.

use super::answer::{
    Answer, Certain, EffectsInfo, Filled, GivenId, LegalMoves, PositionInfo, Refusal, TurnInfo, Variants, Version,
    Warning,
};
use super::games;
use super::job::{Job, no_results};
use super::query::{Ended, Line, go_on};
use super::queue::{Errand, Work};
use super::request::{Action, Request, Setup, Target, Told};
use super::say;
use hippolyta::engine::{Board, Counter, Ending};
use hippolyta::games::Outcome;
use hippolyta::search::Control;
use hippolyta::words::shown;
use std::sync::Arc;

/// Warnings that one line may cause.
const MOST_WARNINGS: usize = 20;

impl Job<'_> {
    /// Does what a line asks for, or hands it on.
    pub fn errand(&self, errand: Errand, control: &Control) {
        match errand {
            Errand::Obey(line) => self.obey(line, control),
            Errand::Refuse(number, id, fault) => {
                let id = id.as_ref().map(GivenId::Any);
                self.say(&Answer::Refusal(Refusal::of_line(id, number, &fault)));
            }
            Errand::End(target) => self.end(&target),
        }
    }

    /// Ends searches and counts.
    pub fn end(&self, target: &Target) {
        for work in self.searches.terminate(|id, turn| target.means(id, turn)) {
            let action = if work.turn().is_none() { Some("perft") } else { None };
            no_results(self.output, work.id(), work.turn(), action);
        }
    }

    fn say(&self, answer: &Answer<'_>) {
        say(self.output, answer);
    }

    /// Says of a field of a query what does not come of it.
    pub(super) fn warning(&self, id: &str, field: &str, warning: &str) {
        self.say(&Answer::Warning(Warning { id, field: shown(field), warning }));
    }

    fn obey(&self, line: Line, control: &Control) {
        let (id, action) = (line.id.clone(), line.action.clone());
        // What a query of several positions is about must be known before each of them is answered.
        let begun = if line.is_about_positions() { Ok(()) } else { go_on(control) };
        match begun.and_then(|()| self.answer(line, control)) {
            Ok(()) => {}
            Err(Ended::Wrong(fault)) => self.say(&Answer::Refusal(Refusal::new(&id, None, &fault))),
            Err(Ended::Stopped) if control.is_late() => {
                self.say(&Answer::Refusal(Refusal::new(&id, None, &self.late())));
            }
            Err(Ended::Stopped) => no_results(self.output, &id, None, Some(&action)),
        }
    }

    fn answer(&self, line: Line, control: &Control) -> Result<(), Ended> {
        let (id, length) = (&line.id.clone(), line.length);
        let Request { action, unknown } = Request::of(line, control)?;
        self.warn(id, &unknown, &action);
        match action {
            Action::Analyse(query) if query.is_stopped && control.is_late() => return Err(Ended::Stopped),
            Action::Analyse(query) if query.is_stopped => {
                query.turns.iter().for_each(|(turn, _)| no_results(self.output, id, Some(*turn), None));
            }
            Action::Analyse(query) => {
                let work = query.turns.iter().map(|&(turn, priority)| (priority, Work::Search(query.clone(), turn)));
                self.searches.push(work.collect(), length);
            }
            Action::Perft(perft) => {
                self.searches.push(vec![(perft.priority, Work::Perft(Arc::new(perft)))], length);
            }
            Action::Terminate(target) => self.end(&target),
            Action::LegalMoves(setup, told) => self.legal_moves(id, &setup, told, control)?,
            Action::Fill(setup) => {
                let board = setup.board_while(usize::MAX, control)?;
                let moves = Counter::new(&setup.variant).fill_while(&board, || !control.stopped());
                go_on(control)?;
                let (decided, turns) = (Certain::of(&board), TurnInfo::line(&board, &moves));
                self.say(&Answer::Filled(Filled { id, action: "fill", decided, moves, turns }));
            }
            Action::Review(setup, known) => {
                self.say(&Answer::Reviewed(games::review(id, &setup, &known, control)?));
            }
            Action::ReadGames(query, fallback) => {
                games::read(id, &query, &fallback, control, &mut |answer| self.say(answer))?;
            }
            Action::WriteGame(query) => {
                let mut warn = |warning: &str| self.warning(id, "record", warning);
                self.say(&Answer::GameWritten(games::write(id, query, control, &mut warn)?));
            }
            Action::Variants(variants) => self.say(&Answer::Variants(Variants::new(id, &variants))),
            Action::Version => {
                let (name, version) = ("Hippolyta", env!("CARGO_PKG_VERSION"));
                self.say(&Answer::Version(Version { id, action: "version", name, version }));
            }
        }
        Ok(())
    }

    fn legal_moves(&self, id: &str, setup: &Setup, told: Told, control: &Control) -> Result<(), Ended> {
        let board: Board = setup.board_while(usize::MAX, control)?;
        let moves = board.legal_turns().all();
        self.say(&Answer::LegalMoves(LegalMoves {
            id,
            action: "legal_moves",
            variant: setup.variant.name(),
            fen: board.fen(),
            current_player: board.side_to_move().name(),
            outcome: board.outcome().map(Outcome::name),
            ending: board.ending().map(Ending::name),
            decided: told.decided.then(|| Certain::of(&board)),
            effects: EffectsInfo::of_last(&board),
            position: told.position.then(|| PositionInfo::new(&board)),
            turns: told.turns.then(|| TurnInfo::all(&board, &moves)),
            moves,
        }));
        Ok(())
    }

    /// Names the fields that mean nothing: in any query, or in the variant of this one.
    fn warn(&self, id: &str, unknown: &[String], action: &Action) {
        for (number, field) in unknown.iter().take(MOST_WARNINGS).enumerate() {
            let more = if number + 1 == MOST_WARNINGS { unknown.len() - MOST_WARNINGS } else { 0 };
            let others = if more > 0 { format!(", and so are {more} others") } else { String::new() };
            self.warning(id, field, &format!("unknown or unused field{others}"));
        }
        if let Action::Analyse(query) = action {
            let known = self.options.model.included(&query.setup.variant);
            for (field, _) in
                query.limits.include.fields().into_iter().filter(|(field, asked)| *asked && !known.contains(field))
            {
                self.warning(id, field, "there is nothing to say in this variant");
            }
        }
    }
}
