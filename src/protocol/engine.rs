use super::analysis::Extras;
use super::go::{Dialect, Go};
use super::info::{self, Style};
use super::judge::{EvaluatorTask, Judge, with_evaluator};
use super::strength::{Level, level};
use crate::eval::{Evaluator, centipawns};
use crate::games::variant::Variant;
use crate::games::{FenError, Game, Notation, Outcome, Side, Turn, TurnError, legal_turns, perft_while};
use crate::search::{Control, Limits, Line, Report, Search, Settings, SettingsError};
use std::fmt::Write as _;
use std::time::{Duration, Instant};
use thiserror::Error;

/// Why a position was not taken; the last good one stays.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PositionError {
    /// The FEN is bad.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// One of the turns is bad.
    #[error("move {} of {of}: {error}", index + 1)]
    Turn {
        /// Its place in the list, from 0.
        index: usize,
        /// Length of the list.
        of: usize,
        /// What is wrong with it.
        error: TurnError,
    },
}

/// What a finished search has found.
#[derive(Clone, Debug)]
pub struct Found {
    /// Simulations.
    pub nodes: u64,
    /// How long it took.
    pub time: Duration,
    /// The `bestmove` line.
    pub best_move: String,
}

/// A game with its search, whatever the rule set: what the protocol needs, in text.
pub trait Engine: Send + Sync {
    /// Takes new settings; on an error the old ones stay in force.
    ///
    /// # Errors
    ///
    /// If there is no memory, or there are no threads.
    fn set(&mut self, settings: &Settings) -> Result<(), SettingsError>;
    /// Forgets what was searched.
    fn clear(&mut self);
    /// Sets a constant of the search; false if there is none of this name.
    #[cfg(feature = "tuning")]
    fn set_constant(&mut self, name: &str, value: f32) -> bool;
    /// Takes the position after `moves` from `fen`; on an error nothing changes.
    ///
    /// # Errors
    ///
    /// If the FEN is bad, or one of the moves.
    fn set_position(&mut self, fen: &str, moves: &[&str]) -> Result<(), PositionError>;
    /// Plays on from the current position; on an error nothing changes.
    ///
    /// # Errors
    ///
    /// If one of the moves is bad.
    fn play(&mut self, moves: &[&str]) -> Result<(), PositionError>;
    /// Who is to move.
    fn side_to_move(&self) -> Side;
    /// The result, if the game is over.
    fn outcome(&self) -> Option<Outcome>;
    /// All legal turns.
    fn legal(&self) -> Vec<String>;
    /// FEN of the current position.
    fn fen(&self) -> String;
    /// FEN of the position that was set, and the turns played from it.
    fn history(&self) -> (String, Vec<String>);
    /// Files and ranks of the board.
    fn board_size(&self) -> (usize, usize);
    /// What `d` shows.
    fn display(&self) -> String;
    /// What `eval` shows.
    fn explain(&self) -> String;
    /// Turns with their counts, and the sum; `None` if `control` stopped it. Runs in the rayon pool it is called from.
    fn perft(&self, depth: u32, control: &Control) -> Option<(Vec<(String, u64)>, u64)>;
    /// Whether the turns of `searchmoves` are legal.
    ///
    /// # Errors
    ///
    /// For the first one that is not.
    fn check(&self, go: &Go) -> Result<(), TurnError>;
    /// The settings in force: after a search for a proof the system may have refused to give all memory back.
    fn settings(&self) -> &Settings;
    /// Searches, handing the info lines of each report to `say`, all in one text, and last the `bestmove` line; blocks until it is over,
    /// which with much memory may take a while longer.
    fn search(&mut self, order: &Order<'_>, say: &mut (dyn FnMut(&str) + Send)) -> Found;
}

/// A search to be done.
#[derive(Clone, Copy)]
pub struct Order<'a> {
    /// The limits; turns of `searchmoves` that are not legal are left out.
    pub go: &'a Go,
    /// Its reins.
    pub control: &'a Control,
    /// How to write.
    pub dialect: Dialect,
    /// Whether scores come with `wdl`.
    pub show_wdl: bool,
    /// Taken off time limits.
    pub overhead: Duration,
    /// When it was given, if time limits are to count from then.
    pub ordered: Option<Instant>,
    /// The rating to play with, if not at full strength.
    pub elo: Option<u32>,
}

/// The engine for a rule set, at its start position.
///
/// # Errors
///
/// If there is no memory, or there are no threads.
pub fn engine_for(
    variant: &'static Variant,
    judge: &Judge,
    settings: Settings,
) -> Result<Box<dyn Engine>, SettingsError> {
    with_evaluator(variant, judge, Begin(settings))
}

struct Begin(Settings);

impl EvaluatorTask for Begin {
    type Output = Result<Box<dyn Engine>, SettingsError>;

    fn run<P: Notation, E: Evaluator<P> + Extras<P> + 'static>(
        self,
        variant: &'static Variant,
        evaluator: E,
    ) -> Self::Output {
        Ok(Box::new(GameEngine::<P, E>::new(variant, evaluator, self.0)?))
    }
}

struct GameEngine<P: Notation, E: Evaluator<P>> {
    variant: &'static Variant,
    game: Game<P>,
    search: Search<P, E>,
}

impl<P: Notation, E: Evaluator<P>> GameEngine<P, E> {
    fn new(variant: &'static Variant, evaluator: E, settings: Settings) -> Result<Self, SettingsError> {
        #[allow(clippy::expect_used, reason = "the table's FENs are tested")]
        let start = P::from_fen(variant, variant.start).expect("start positions are legal");
        Ok(Self { variant, game: Game::new(start), search: Search::new(evaluator, settings)? })
    }

    fn position(&self) -> &P {
        self.game.current()
    }
}

/// Whether two reports, one after the other, differ in nothing but the time.
fn says_the_same<P: Notation>(one: &Report<P>, other: &Report<P>) -> bool {
    let same = |(one, other): (&Line<P>, &Line<P>)| one.score == other.score && one.turns == other.turns;
    (one.nodes, one.score, one.lines.len()) == (other.nodes, other.score, other.lines.len())
        && one.lines.iter().zip(&other.lines).all(same)
}

fn play_all<P: Notation>(game: &mut Game<P>, moves: &[&str]) -> Result<(), PositionError> {
    for (index, text) in moves.iter().enumerate() {
        game.play_text(text).map_err(|error| PositionError::Turn { index, of: moves.len(), error })?;
    }
    Ok(())
}

impl<P: Notation, E: Evaluator<P>> Engine for GameEngine<P, E> {
    fn set(&mut self, settings: &Settings) -> Result<(), SettingsError> {
        self.search.set(settings.clone())
    }

    fn clear(&mut self) {
        self.search.clear();
    }

    #[cfg(feature = "tuning")]
    fn set_constant(&mut self, name: &str, value: f32) -> bool {
        let mut parameters = *self.search.parameters();
        let known = parameters.set(name, value);
        self.search.set_parameters(parameters);
        known
    }

    fn set_position(&mut self, fen: &str, moves: &[&str]) -> Result<(), PositionError> {
        let mut game = Game::new(P::from_fen(self.variant, fen)?);
        play_all(&mut game, moves)?;
        self.game = game;
        Ok(())
    }

    fn play(&mut self, moves: &[&str]) -> Result<(), PositionError> {
        let mut game = self.game.clone();
        play_all(&mut game, moves)?;
        self.game = game;
        Ok(())
    }

    fn side_to_move(&self) -> Side {
        self.position().side_to_move()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.position().outcome()
    }

    fn legal(&self) -> Vec<String> {
        legal_turns(self.position()).iter().map(|turn| self.position().turn_text(turn)).collect()
    }

    fn fen(&self) -> String {
        self.position().fen()
    }

    fn history(&self) -> (String, Vec<String>) {
        let mut position = self.game.start().clone();
        let text = |turn: &Turn<P>| {
            let text = position.turn_text(turn);
            turn.iter().for_each(|&step| position.play(step));
            text
        };
        (self.game.start().fen(), self.game.turns().iter().map(text).collect())
    }

    fn board_size(&self) -> (usize, usize) {
        self.position().board_size()
    }

    fn display(&self) -> String {
        let position = self.position();
        let state = match position.outcome() {
            None => format!("{} to move", position.side_to_move()),
            Some(Outcome::Draw) => "game over, drawn".to_owned(),
            Some(Outcome::Win(side)) => format!("game over, {side} has won"),
        };
        let (fen, key) = (position.fen(), position.key());
        format!("{}\nFen: {fen}\nKey: {key:016X}\nVariant: {}\nState: {state}", position.diagram(), self.variant.name)
    }

    fn explain(&self) -> String {
        let position = self.position();
        if position.outcome().is_some() {
            return "Final evaluation: none (game over)".to_owned();
        }
        let (value, terms) = self.search.evaluator().explain(position);
        let mut text = format!("{:<18}{:>10}{:>10}{:>10}\n", "Term", "White", "Black", "Logit");
        for term in terms {
            let [white, black] = term.features;
            let _ = writeln!(text, "{:<18}{white:>10.2}{black:>10.2}{:>+10.3}", term.name, term.logit);
        }
        for remark in self.search.evaluator().remarks(position) {
            let _ = writeln!(text, "{remark}");
        }
        let pawns = centipawns(value.white);
        let _ =
            write!(text, "Final evaluation: cp {pawns:+} score {:.3} draw {:.3} (white side)", value.white, value.draw);
        text
    }

    fn perft(&self, depth: u32, control: &Control) -> Option<(Vec<(String, u64)>, u64)> {
        let result = perft_while(self.position(), depth, &|| !control.stopped())?;
        let text = |(turn, count): (Turn<P>, u64)| (self.position().turn_text(&turn), count);
        Some((result.divide.into_iter().map(text).collect(), result.nodes))
    }

    fn check(&self, go: &Go) -> Result<(), TurnError> {
        go.search_moves.iter().try_for_each(|text| self.position().parse_turn(text).map(drop))
    }

    fn settings(&self) -> &Settings {
        self.search.settings()
    }

    fn search(&mut self, order: &Order<'_>, say: &mut (dyn FnMut(&str) + Send)) -> Found {
        let Order { go, control, dialect, show_wdl, overhead, ordered, elo } = *order;
        let position = self.game.current().clone();
        let side = position.side_to_move();
        let level = elo.and_then(|elo| level(self.variant.family, elo));
        let (nodes, by_policy) = match level {
            Some(Level::Nodes(nodes)) => (Some(nodes), None),
            Some(Level::Policy(sharpness)) => (None, Some(sharpness)),
            None => (None, None),
        };
        let limits = Limits {
            nodes: go.nodes.into_iter().chain(nodes).min(),
            by_policy,
            move_time: go.move_time,
            clock: go.clock(side),
            depth: go.depth,
            mate: go.mate,
            infinite: go.infinite || go.is_unlimited() && !go.ponder,
            ponder: go.ponder,
            turns: go.search_moves.iter().filter_map(|text| position.parse_turn(text).ok()).collect(),
            overhead,
            ordered,
            report_every: None,
        };
        let style = Style { dialect, show_wdl };
        let mut shown: Option<Report<P>> = None;
        let mut show = |report: &Report<P>| {
            if shown.take().is_none_or(|shown| !says_the_same(&shown, report)) {
                say(&info::info_lines(&position, report, style).join("\n"));
            }
            if report.last {
                say(&info::best_move(&position, report, dialect));
            }
            shown = Some(report.clone());
        };
        let report = self.search.run(&self.game, &limits, control, &mut show);
        Found { nodes: report.nodes, time: report.time, best_move: info::best_move(&position, &report, dialect) }
    }
}
