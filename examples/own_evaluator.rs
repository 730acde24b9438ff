//! An engine with an evaluator of your own: the Amazons by mobility, behind UCI.
//!
//! ```text
//! cargo build --release --example own_evaluator
//! hippolyta match --engine cmd=target/release/examples/own_evaluator name=mobility --engine cmd=self name=hippolyta \
//!     --each nodes=1000 --games 20
//! ```
//!
//! The search, the protocol and what the rules prove are Hippolyta's. For other games than the Amazons there is no
//! evaluator, so their rule sets are refused.

use hippolyta::board::Square;
use hippolyta::engine::{Evaluators, Model};
use hippolyta::eval::{Evaluation, Evaluator, Term, Value, logistic};
use hippolyta::games::amazons::Amazons;
use hippolyta::games::variant::Variant;
use hippolyta::games::{MoveFireStep, Side, StepKind};
use hippolyta_protocol::{Output, serve};
use std::io::{self, BufReader};

/// The worth of a move of an amazon, as a logit.
const WORTH: f32 = 0.05;

#[derive(Clone, Debug)]
pub struct Mobility;

impl Mobility {
    /// The squares that the amazons of a side can move to, each as often as there are amazons that can.
    fn moves(position: &Amazons, side: Side) -> f32 {
        let targets = |square: Square| position.geometry().queen_targets(square, position.empty());
        position.amazons(side).into_iter().map(|square| targets(square).count()).sum::<u32>() as f32
    }
}

impl Evaluator<Amazons> for Mobility {
    fn evaluate(&self, position: &Amazons) -> Evaluation {
        Evaluation::Estimate(self.explain(position).0)
    }

    /// The more squares an amazon sees from where a move leads, the better. All shots are equally likely.
    fn policy(&self, position: &Amazons, steps: &[MoveFireStep], logits: &mut [f32]) {
        for (step, logit) in steps.iter().zip(logits) {
            *logit = match step.kind() {
                StepKind::Move { to, .. } => {
                    WORTH * position.geometry().queen_targets(to, position.empty()).count() as f32
                }
                StepKind::Fire { .. } => 0.0,
            };
        }
    }

    fn explain(&self, position: &Amazons) -> (Value, Vec<Term>) {
        let features = [Side::White, Side::Black].map(|side| Self::moves(position, side));
        let logit = WORTH * (features[0] - features[1]);
        let value = Value { white: logistic(logit), draw: 0.0 };
        (value, vec![Term { name: "mobility", features, logit }])
    }

    fn identity(&self) -> Vec<u8> {
        WORTH.to_le_bytes().to_vec()
    }
}

impl Evaluators for Mobility {
    fn amazons(&self, _: &Variant) -> Option<Box<dyn Evaluator<Amazons>>> {
        Some(Box::new(Self))
    }
}

pub fn main() -> io::Result<()> {
    serve(BufReader::new(io::stdin()), Output::new(io::stdout()), Model::own(Mobility))
}
