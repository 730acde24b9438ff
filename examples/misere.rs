//! A rule set of your own: misère Amazons, where the side that cannot move wins.
//!
//! ```text
//! cargo run --release --example misere
//! ```
//!
//! A wrapper around the positions of the Amazons turns the outcome round; all else is theirs. The search needs no more
//! than [`Position`] and an evaluator: [`Playouts`] evaluates any game by random play.

use hippolyta::eval::Playouts;
use hippolyta::games::amazons::Amazons;
use hippolyta::games::{FenError, Game, MoveFireStep, Notation, Outcome, Position, Side, variant};
use hippolyta::search::{Control, Limits, Report, Score, Search, Settings, SettingsError};
use std::ops::ControlFlow;

#[derive(Clone, Debug)]
pub struct Misere(pub Amazons);

impl Position for Misere {
    type Step = MoveFireStep;

    fn side_to_move(&self) -> Side {
        self.0.side_to_move()
    }
    fn at_turn_start(&self) -> bool {
        self.0.at_turn_start()
    }
    fn outcome(&self) -> Option<Outcome> {
        self.0.outcome().map(|_| Outcome::Win(self.side_to_move()))
    }
    fn for_each_step(&self, f: impl FnMut(MoveFireStep) -> ControlFlow<()>) -> ControlFlow<()> {
        self.0.for_each_step(f)
    }
    fn play(&mut self, step: MoveFireStep) {
        self.0.play(step);
    }
    fn key(&self) -> u64 {
        self.0.key()
    }
    fn turns_to_think_about(&self) -> u32 {
        self.0.turns_to_think_about()
    }
}

/// A position from its FEN, which is the same in both games.
pub(crate) fn position(fen: &str) -> Result<Misere, FenError> {
    Amazons::from_fen(variant::DEFAULT, fen).map(Misere)
}

/// Searches until the result is proven, but for no more than `nodes` evaluations.
pub(crate) fn search(position: Misere, nodes: u64) -> Result<Report<Misere>, SettingsError> {
    let mut search = Search::new(Playouts, Settings { hash: 16, ..Settings::default() })?;
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    Ok(search.run(&Game::new(position), &limits, &Control::default(), &mut |_| ()))
}

pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let start = position("1q2/4/2Q1 w")?;
    println!("{}", start.0.diagram());
    let report = search(start.clone(), 200_000)?;
    let result = match report.score {
        Score::Win { plies } => format!("wins in {plies} plies"),
        Score::Loss { plies } => format!("loses in {plies} plies"),
        score => format!("is not proven: {score:?}"),
    };
    println!("White {result}: {} ({} nodes)", start.0.turn_text(&report.lines[0].turns[0]), report.nodes);
    Ok(())
}
