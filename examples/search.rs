//! The search alone, no protocol: the best turns of a position with scores, priors and lines, and what was thought of
//! each first step.
//!
//! ```text
//! cargo run --release --example search
//! ```

use hippolyta::eval::amazons::AmazonsEvaluator;
use hippolyta::games::{Game, Notation, amazons::Amazons, variant};
use hippolyta::search::{Control, Limits, Line, Score, Search, Settings};

fn text(position: &Amazons, line: &Line<Amazons>) -> String {
    let score = match line.score {
        Score::Estimate { score, .. } => format!("{:.1} %", 100.0 * score),
        Score::Win { plies } => format!("won in {plies}"),
        Score::Loss { plies } => format!("lost in {plies}"),
        Score::Draw => "drawn".to_owned(),
    };
    let mut at = *position;
    let mut turns = Vec::new();
    for turn in &line.turns {
        turns.push(at.turn_text(turn));
        turn.iter().for_each(|&step| hippolyta::games::Position::play(&mut at, step));
    }
    format!("{score:>10} {:>6} visits, prior {:.3}: {}", line.visits, line.prior.unwrap_or(0.0), turns.join(" "))
}

pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let variant = &variant::find("amazons8")?;
    let game = Game::new(Amazons::from_fen(variant, variant.start())?);
    let settings = Settings { hash: 64, multi_pv: 3, ..Settings::default() };
    let mut search = Search::new(AmazonsEvaluator::default(), settings)?;

    // Reports come while it runs; another thread may end it by `Control::stop`.
    let limits = Limits { nodes: Some(20_000), ..Limits::default() };
    let report = search.run(&game, &limits, &Control::default(), &mut |report| {
        println!("{} nodes, depth {}", report.nodes, report.depth);
    });
    println!("\n{}", game.current().diagram());
    for line in &report.lines {
        println!("{}", text(game.current(), line));
    }

    println!("\nMost visited first steps:");
    let mut steps = search.steps_after(&[]);
    steps.sort_by_key(|step| std::cmp::Reverse(step.visits));
    for step in steps.iter().take(5) {
        let white = step.white.map_or("-".to_owned(), |white| format!("{:.1} %", 100.0 * white));
        println!(
            "{:<6}{:>7} visits, prior {:.3}, White scores {white}",
            game.current().turn_text(&[step.step]),
            step.visits,
            step.prior
        );
    }
    Ok(())
}
