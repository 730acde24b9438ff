//! The evaluation of Damone: material by rank, how far pedine have come, safe squares and mobility, on quiet positions.
//!
//! While a capture is pending nothing is judged: capturing is compulsory, so all best lines are played out until the position is
//! quiet, and the side that captures takes the best of them. Where few pieces are left, tables know better.

mod tables;

use super::{Evaluator, Judgement, Knowledge, Term, Value, logistic};
use crate::endgame::Proof;
use crate::endgame::damone as endgame;
use crate::games::damone::{Board, Cells, Damone, DamoneStep, Rank, Rules};
use crate::games::{Outcome, Position, Side};
use std::ops::ControlFlow;
use std::sync::Arc;

/// Values and priors for the Damone family.
#[derive(Clone, Debug)]
pub struct DamoneEvaluator {
    tables: Option<Arc<endgame::Tables>>,
}

impl Default for DamoneEvaluator {
    /// For the usual rules, without files.
    fn default() -> Self {
        Self { tables: tables::built_in(&Rules::DAMONE) }
    }
}

impl DamoneEvaluator {
    /// For `rules`, with the endgame tables of `knowledge`, if it has some for these rules, or those of three pieces.
    #[must_use]
    pub fn new(rules: &'static Rules, knowledge: &Knowledge) -> Self {
        let given = knowledge.damone_tables.as_ref().filter(|tables| tables.rules() == rules);
        Self { tables: given.cloned().or_else(|| tables::built_in(rules)) }
    }

    fn tables(&self) -> Option<&endgame::Tables> {
        self.tables.as_deref()
    }
}

/// Features of a side.
const FEATURES: usize = 11;
/// Logits for one unit of each feature, in positions with fewer than 5, 9, 13 pieces, and with more: pedine, dame, damoni, steps of
/// pedine from the own corner, pieces at the edge (where they cannot be jumped), quiet steps, the only damoni on the board
/// (nothing can take them), being to move, pieces in the centre, squares to the nearest enemies, pedine close to promotion.
///
/// Fitted by logistic regression to the results of 3,500 games of the engine against itself at 400 nodes a turn; with more than 12 pieces
/// a lone damone is too rare to be fitted, and its weights are set.
const WEIGHTS: [[f32; FEATURES]; 4] = [
    [0.325, 0.451, 0.386, 0.009, 0.171, 0.069, 0.399, 0.005, 0.154, -0.070, -0.095],
    [0.360, 0.523, 0.751, -0.002, 0.042, 0.017, 0.256, 0.011, 0.040, -0.028, 0.078],
    [0.455, 0.551, 0.829, -0.015, 0.033, 0.017, 0.980, 0.013, -0.033, -0.015, 0.139],
    [0.380, 0.553, 0.300, -0.013, 0.035, -0.006, 0.000, 0.004, 0.026, -0.015, 0.049],
];
const WEIGHTS_BY_PIECES: [u32; 3] = [5, 9, 13];

fn weights(board: &Board) -> &'static [f32; FEATURES] {
    let pieces = (!board.empty()).count();
    &WEIGHTS[WEIGHTS_BY_PIECES.iter().filter(|&&end| pieces >= end).count()]
}
/// Probability of a draw in an even position with all pieces, and what each piece fewer adds.
const DRAW: f32 = 0.35;
const DRAW_BY_LOSS: f32 = 0.02;

/// Prior logit of a step after which the enemy can capture, and of one that promotes a pedina.
const HANGING: f32 = -1.0;
const RISING: f32 = 0.3;

/// The rim of the board.
fn edge() -> Cells {
    Cells::ALL.filter(|&cell| on_edge(cell)).fold(Cells::NONE, |set, cell| set | Cells::of(cell))
}

const fn on_edge(cell: usize) -> bool {
    let (pair, within) = (cell / 9, cell % 9);
    let first_or_last_rank = pair == 0 && within < 4 || pair == 3 && within >= 4;
    first_or_last_rank || within == 3 || within == 4
}

/// `advance[side][cell]`: how far from the own corner the cell is, along the long diagonal.
struct Tables {
    edge: Cells,
    /// The eight squares in the middle.
    centre: Cells,
    /// King steps between two cells.
    distance: [[u8; 36]; 36],
    advance: [[f32; 36]; 2],
}

static TABLES: std::sync::LazyLock<Tables> = std::sync::LazyLock::new(|| {
    let mut advance = [[0.0; 36]; 2];
    let mut distance = [[0; 36]; 36];
    let mut centre = Cells::NONE;
    let place = |cell: usize| {
        let (pair, within) = (cell / 9, cell % 9);
        if within < 4 { (2 * pair, 2 * within + 1) } else { (2 * pair + 1, 2 * (within - 4)) }
    };
    for cell in Cells::ALL {
        let (rank, file) = place(cell);
        if (2..6).contains(&rank) && (2..6).contains(&file) {
            centre = centre | Cells::of(cell);
        }
        for other in Cells::ALL {
            let (other_rank, other_file) = place(other);
            distance[cell][other] = rank.abs_diff(other_rank).max(file.abs_diff(other_file)) as u8;
        }
        let steps = (rank + 7 - file) as f32;
        advance[0][cell] = steps;
        advance[1][cell] = 14.0 - steps;
    }
    Tables { edge: edge(), centre, distance, advance }
});

/// The features of one side.
struct SideFeatures {
    pieces: [f32; 3],
    advance: f32,
    edge: f32,
    mobility: f32,
    sole_damone: f32,
    to_move: f32,
    centre: f32,
    /// Squares between each piece and the nearest enemy.
    distance: f32,
    /// Pedine with at most three steps to go to a promotion square.
    runners: f32,
}

impl SideFeatures {
    fn new(board: &Board, side: Side, mover: Side) -> Self {
        let of = |rank| board.of(side, rank);
        let advance = of(Rank::Pedina).map(|cell| TABLES.advance[side.index()][cell]).sum();
        let sole = !of(Rank::Damone).is_empty() && board.of(!side, Rank::Damone).is_empty();
        Self {
            pieces: Rank::ALL.map(|rank| of(rank).count() as f32),
            advance,
            edge: (board.all(side) & TABLES.edge).count() as f32,
            mobility: board.quiet_count(side) as f32,
            sole_damone: f32::from(u8::from(sole)),
            to_move: f32::from(u8::from(side == mover)),
            centre: (board.all(side) & TABLES.centre).count() as f32,
            distance: distance(board, side),
            runners: of(Rank::Pedina).filter(|&cell| TABLES.advance[side.index()][cell] >= 9.0).count() as f32,
        }
    }

    fn terms(&self, weights: &[f32; FEATURES]) -> [(&'static str, f32, f32); FEATURES] {
        let [pedine, dame, damoni] = self.pieces;
        let features = [
            ("pedine", pedine),
            ("dame", dame),
            ("damoni", damoni),
            ("advance", self.advance),
            ("edge", self.edge),
            ("mobility", self.mobility),
            ("sole damone", self.sole_damone),
            ("to move", self.to_move),
            ("centre", self.centre),
            ("distance", self.distance),
            ("runners", self.runners),
        ];
        std::array::from_fn(|index| (features[index].0, features[index].1, weights[index]))
    }

    fn logit(&self, weights: &[f32; FEATURES]) -> f32 {
        self.terms(weights).iter().map(|(_, feature, weight)| feature * weight).sum()
    }
}

fn distance(board: &Board, side: Side) -> f32 {
    let enemies = board.all(!side);
    let nearest = |cell: usize| enemies.map(|enemy| TABLES.distance[cell][enemy]).min().unwrap_or(0);
    board.all(side).map(|cell| f32::from(nearest(cell))).sum()
}

fn estimate(position: &Damone) -> Value {
    let board = position.board();
    let mover = position.side_to_move();
    let [white, black] = [Side::White, Side::Black].map(|side| SideFeatures::new(board, side, mover));
    let pieces: f32 = white.pieces.iter().chain(&black.pieces).sum();
    let score = {
        let weights = weights(board);
        logistic(white.logit(weights) - black.logit(weights))
    };
    // The nearer to the limit of quiet plies, the likelier a draw.
    let patience = 1.0 - position.quiet() as f32 / 160.0;
    let score = 0.5 + (score - 0.5) * patience;
    let even = 1.0 - (2.0 * score - 1.0).abs();
    let draw = (DRAW + DRAW_BY_LOSS * (18.0 - pieces).max(0.0)).min(0.9) * even;
    Value { white: score, draw }
}

/// Asks the tables, else plays out pending captures and judges what is quiet then.
fn resolve(tables: Option<&endgame::Tables>, position: &Damone) -> Judgement {
    if let Some(outcome) = position.outcome() {
        return Judgement::Exact(Proof { outcome, plies: 0 });
    }
    if let Some(judgement) = tables.and_then(|tables| tables::judge(tables, position)) {
        return judgement;
    }
    let side = position.side_to_move();
    if !position.board().can_capture(side) {
        return Judgement::Estimate(estimate(position));
    }
    let (mut best, mut all_exact): (Option<Judgement>, bool) = (None, true);
    let _ = position.for_each_step(|step| {
        let found = match resolve(tables, &position.after(step)) {
            Judgement::Exact(Proof { outcome, plies }) => {
                Judgement::Exact(Proof { outcome, plies: plies.saturating_add(1) })
            }
            estimate => estimate,
        };
        all_exact &= matches!(found, Judgement::Exact(_));
        let better = |old: &Judgement| found.value().for_side(side) > old.value().for_side(side);
        if best.as_ref().is_none_or(better) {
            best = Some(found);
        }
        ControlFlow::Continue(())
    });
    match best {
        // A win is a win; anything less is certain only if every line is.
        Some(Judgement::Exact(proof)) if proof.outcome == Outcome::Win(side) || all_exact => Judgement::Exact(proof),
        Some(judgement) => Judgement::Estimate(judgement.value()),
        None => Judgement::Estimate(estimate(position)),
    }
}

impl Evaluator<Damone> for DamoneEvaluator {
    fn judge(&self, position: &Damone) -> Judgement {
        resolve(self.tables(), position)
    }

    fn policy(&self, position: &Damone, steps: &[DamoneStep], logits: &mut [f32]) {
        let side = position.side_to_move();
        let tables = self.tables().filter(|tables| tables.look_up(position).is_some());
        for (&step, logit) in steps.iter().zip(logits) {
            let after = position.after(step);
            let pedine = |position: &Damone| position.board().of(side, Rank::Pedina).count();
            let hangs = if after.board().can_capture(!side) { HANGING } else { 0.0 };
            let rises = if pedine(&after) < pedine(position) { RISING } else { 0.0 };
            *logit = hangs + rises + tables.and_then(|tables| tables::prior(tables, &after)).unwrap_or(0.0);
        }
    }

    fn explain(&self, position: &Damone) -> (Value, Vec<Term>) {
        let mover = position.side_to_move();
        let [white, black] = [Side::White, Side::Black]
            .map(|side| SideFeatures::new(position.board(), side, mover).terms(weights(position.board())));
        let terms = white
            .into_iter()
            .zip(black)
            .map(|((name, white, weight), (_, black, _))| Term {
                name,
                features: [white, black],
                logit: weight * (white - black),
            })
            .collect();
        (resolve(self.tables(), position).value(), terms)
    }

    fn identity(&self) -> Vec<u8> {
        let tables = self.tables().map(|tables| (tables.pieces(), tables.checksum()));
        format!("{WEIGHTS:?} {:?} {tables:?}", [DRAW, DRAW_BY_LOSS, HANGING, RISING]).into_bytes()
    }

    fn remarks(&self, position: &Damone) -> Vec<String> {
        let mut remarks = vec![format!("quiet plies {} of 80", position.quiet())];
        let captures = position.captures().len();
        if captures > 0 {
            remarks
                .push(format!("{captures} capture lines pending: they are played out before the position is judged"));
        }
        if let Some(verdict) = self.tables().and_then(|tables| tables::describe(tables, position)) {
            remarks.push(verdict);
            return remarks;
        }
        match resolve(self.tables(), position) {
            Judgement::Exact(Proof { outcome: Outcome::Win(side), plies }) => {
                remarks.push(format!("{side} wins by captures in {plies} plies"));
            }
            Judgement::Exact(Proof { outcome: Outcome::Draw, .. }) => remarks.push("drawn by captures".to_owned()),
            Judgement::Estimate(_) => {}
        }
        remarks
    }
}
