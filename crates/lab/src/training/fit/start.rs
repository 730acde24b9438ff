//! The models that a fit starts from: those of the tables in use, without changes.

use super::network::Network;
use super::optimiser::{KNOTS, Model, POLICY_KNOTS};
use super::owners;
use super::softmax::Policy;
use crate::training::trainable::Trainable;
use hippolyta::eval::amazons::shapes::owners::Owners;
use hippolyta::eval::learned::Part;
use hippolyta::eval::shapes::{steps, value};
use hippolyta::eval::weights::{Tables, WeightsError};

/// The evaluation of the group called `name`.
pub fn network<P: Trainable>(tables: &Tables, name: &str, seed: u64) -> Result<Network, WeightsError> {
    let draws = if P::DRAW_CLASSES > 0 { part(tables, name, Part::Draws)? } else { &[] };
    let network = Network::new(
        &Model::new(part(tables, name, Part::Linear)?, KNOTS),
        part(tables, name, Part::Hidden)?,
        draws,
        seed,
    );
    Ok(match P::SCHEME {
        None => network,
        // Shapes that are blank have no table.
        Some(scheme) => {
            network.with_shapes(scheme, part(tables, name, Part::Shapes).unwrap_or(&vec![0; value::size(scheme)]), seed)
        }
    })
}

/// The policy of the group called `name`.
pub fn policy<P: Trainable>(tables: &Tables, name: &str, seed: u64) -> Result<Policy, WeightsError> {
    let policy = Policy::new(Model::new(part(tables, name, Part::Policy)?, POLICY_KNOTS));
    Ok(match P::SCHEME {
        None => policy,
        Some(scheme) => policy.with_shapes(
            scheme,
            part(tables, name, Part::PolicyShapes).unwrap_or(&vec![0; steps::size(scheme)]),
            seed,
        ),
    })
}

/// The ownership of the group called `name`.
pub fn owners(tables: &Tables, name: &str) -> owners::Model {
    let known = part(tables, name, Part::Ownership).ok().and_then(Owners::from_table);
    owners::Model(known.unwrap_or_else(Owners::blank))
}

/// A table of the group called `name`.
fn part<'a>(tables: &'a Tables, name: &str, part: Part) -> Result<&'a [i32], WeightsError> {
    let name = format!("{name}{}", part.ending());
    let found = tables.tables.iter().find(|(known, _)| *known == name);
    found.map(|(_, table)| &table[..]).ok_or(WeightsError::Unknown(name))
}

#[cfg(test)]
mod tests {
    use super::super::network::Samples;
    use super::super::odds::Target;
    use super::*;
    use crate::training::trainable::{self, TrainableTask, group};
    use hippolyta::eval::{Evaluation, Evaluator, Weights};
    use hippolyta::games::variant::{VARIANTS, Variant};
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    /// Plays random games, and asserts that the network's loss at each position follows from the evaluation in use.
    fn losses_are_those_in_play<P: Trainable>(variant: &Variant, evaluator: &impl Evaluator<P>) {
        let name = match variant.name() {
            "amazons8" => "amazons@8x8",
            "amazons6" => "amazons@6x6",
            _ => &*group(variant),
        };
        let tables = Weights::embedded().tables();
        let network = network::<P>(&tables, name, 1).unwrap();
        // In play, sums of shapes are cut to 8/255 of a square, which the heaviest of the next layer make 0.0033.
        let tolerance = if part(&tables, name, Part::Shapes).is_ok() { 4e-3 } else { 1e-5 };
        let mut random = Xoshiro256PlusPlus::seed_from_u64(7);
        let mut compared = 0;
        for _ in 0..4 {
            let mut position = P::from_fen(variant, variant.start()).unwrap();
            for _ in 0..200 {
                if position.at_turn_start() && position.outcome().is_some() {
                    break;
                }
                if position.at_turn_start()
                    && let (Some(sample), Evaluation::Estimate(value)) =
                        (position.sample(), evaluator.evaluate(&position))
                {
                    let score = f64::from(value.for_side(position.side_to_move()));
                    let win = score - f64::from(value.draw) / 2.0;
                    let odds = [1.0 - win - f64::from(value.draw), value.draw.into(), win];
                    for (result, in_play) in (0..).zip(odds).filter(|&(result, _)| result != 1 || P::DRAW_CLASSES > 0) {
                        let mut samples = Samples::default();
                        let counts = (0..).zip(sample.counts.iter().map(|&count| count as i16));
                        let target = Target { result, score: 0.0, share: 0.0 };
                        samples.push(counts, sample.fine_phase / 256, sample.draw_class, target);
                        samples.push_squares(&position.squares());
                        let predicted = (-network.loss(&samples)).exp();
                        assert!((predicted - in_play).abs() < tolerance, "{}: {predicted} {in_play}", variant.name());
                    }
                    compared += 1;
                }
                let steps = position.steps();
                position.play(steps[random.random_range(0..steps.len())]);
            }
        }
        assert!(compared > 40, "{}: {compared}", variant.name());
    }

    struct Comparing(Variant);

    impl TrainableTask for Comparing {
        type Output = ();

        fn run<P: Trainable, E: Evaluator<P>>(self, evaluator: impl Fn() -> E + Sync) {
            losses_are_those_in_play::<P>(&self.0, &evaluator());
        }
    }

    #[test]
    fn a_fit_starts_from_the_evaluation_in_use() {
        VARIANTS.iter().for_each(|variant| trainable::run(variant, &Weights::embedded(), Comparing(variant.clone())));
    }
}
