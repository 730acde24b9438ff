//! Fitting who owns each square in the end, and the lead.
//!
//! The loss of a position is the cross-entropy of its empty squares, on average. The lead is a regression on the margin
//! of the game; its error is not part of the losses that are reported.

use super::optimiser::{BLOCK, Fitted, Moments, Schedule, mean_gradient, optimise};
use hippolyta::eval::amazons::shapes::owners::{Fate, Forecast, Owners, empty_squares};
use hippolyta::games::Side;
use hippolyta::search::Control;
use rayon::prelude::*;
use std::collections::HashMap;

/// Positions with the fate of their squares.
#[derive(Default)]
pub struct Ownership {
    /// The squares of all positions, one after the other, and what became of those that are empty.
    squares: Vec<u16>,
    fates: Vec<(u8, Owned)>,
    positions: Vec<Place>,
}

/// The fate of a square: whether the mover owns it, or the other side; nobody if neither.
pub type Owned = [bool; 2];

struct Place {
    fine_phase: u16,
    squares: usize,
    fates: usize,
    /// The number of turns by which the mover was ahead at the end, if it is known.
    margin: Option<f32>,
}

/// One position.
struct View<'a> {
    fine_phase: usize,
    squares: &'a [u16],
    fates: &'a [(u8, Owned)],
    margin: Option<f32>,
}

impl Ownership {
    /// Adds a position with the fate of all squares of its game, and White's margin in halves.
    pub fn push(&mut self, squares: &[u16], fine_phase: usize, mover: Side, fates: &[Fate], margin: Option<i16>) {
        let start = self.fates.len();
        for (square, _) in empty_squares(squares) {
            match fates[square] {
                Fate::Owned(side) => self.fates.push((square as u8, [side == mover, side != mover])),
                Fate::Nobodys => self.fates.push((square as u8, [false; 2])),
                Fate::Open => {}
            }
        }
        if self.fates.len() == start {
            return;
        }
        let own = if mover == Side::White { 0.5 } else { -0.5 };
        let margin = margin.map(|halves| own * f32::from(halves));
        self.positions.push(Place { fine_phase: fine_phase as u16, squares: self.squares.len(), fates: start, margin });
        self.squares.extend(squares);
    }

    /// Appends all of `other`.
    pub fn append(&mut self, other: Self) {
        let (squares, fates) = (self.squares.len(), self.fates.len());
        self.squares.extend(other.squares);
        self.fates.extend(other.fates);
        let behind = |place: Place| Place { squares: place.squares + squares, fates: place.fates + fates, ..place };
        self.positions.extend(other.positions.into_iter().map(behind));
    }

    /// Number of positions.
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    fn view(&self, index: usize) -> View<'_> {
        let place = &self.positions[index];
        let (squares, fates) = self
            .positions
            .get(index + 1)
            .map_or((self.squares.len(), self.fates.len()), |next| (next.squares, next.fates));
        View {
            fine_phase: place.fine_phase.into(),
            squares: &self.squares[place.squares..squares],
            fates: &self.fates[place.fates..fates],
            margin: place.margin,
        }
    }
}

/// The error of the lead that weighs as much as a nat.
const TURNS: f32 = 8.0;

/// The network, with its weights as the optimiser wants them.
#[derive(Clone)]
pub struct Model(pub Owners);

impl Fitted for Model {
    fn weights(&self) -> &[f32] {
        self.0.weights()
    }

    fn weights_mut(&mut self) -> &mut [f32] {
        self.0.weights_mut()
    }
}

impl Model {
    /// Whether nothing was learned before.
    pub fn is_blank(&self) -> bool {
        self.0.weights().iter().all(|&weight| weight == 0.0)
    }

    /// The mean loss in nats: over the positions of the mean over their squares.
    pub fn loss(&self, data: &Ownership) -> f64 {
        let indices: Vec<usize> = (0..data.len()).collect();
        let loss = |&index: &usize| {
            let view = data.view(index);
            let forecast = self.0.forecast(view.squares, view.fine_phase);
            let known: HashMap<_, _> = forecast.squares.into_iter().collect();
            let losses = view.fates.iter().filter_map(|(square, owned)| {
                let [own, other] = *known.get(&usize::from(*square))?;
                let probability = match owned {
                    [true, _] => own,
                    [_, true] => other,
                    _ => 1.0 - own - other,
                };
                Some(-f64::from(libm::logf(probability.max(1e-7))))
            });
            losses.sum::<f64>() / view.fates.len() as f64
        };
        let sums: Vec<f64> = indices.par_chunks(BLOCK).map(|chunk| chunk.iter().map(loss).sum()).collect();
        sums.iter().sum::<f64>() / data.len().max(1) as f64
    }

    fn add_gradient(&self, view: &View<'_>, sum: &mut [f32]) {
        let Forecast { squares, lead } = self.0.forecast(view.squares, view.fine_phase);
        let difference: f32 = squares.iter().map(|(_, [own, other])| own - other).sum();
        let (share, mut fates) = (1.0 / view.fates.len() as f32, view.fates.iter().peekable());
        let mut slopes = Vec::with_capacity(squares.len());
        for ((square, rows), (_, probabilities)) in empty_squares(view.squares).zip(&squares) {
            if let Some((_, owned)) = fates.next_if(|(known, _)| usize::from(*known) == square) {
                let slope = |owner: usize| share * (probabilities[owner] - f32::from(u8::from(owned[owner])));
                slopes.push((rows, [slope(0), slope(1)]));
            }
        }
        let by_lead = view.margin.map_or(0.0, |margin| (lead - margin) / (TURNS * TURNS));
        Owners::add_gradient(view.fine_phase, &slopes, (by_lead, difference), sum);
    }
}

/// Fits the network to positions. After each epoch `report` gets it and the epoch's number.
pub fn fit_owners(
    model: &mut Model,
    data: &Ownership,
    schedule: &Schedule,
    report: &mut dyn FnMut(&Model, u32),
    control: &Control,
) {
    let size = model.weights().len();
    let gradient = |model: &Model, batch: &[usize]| {
        mean_gradient(size, batch, &|index, sum| model.add_gradient(&data.view(index), sum))
    };
    let mut report = |model: &Model, moments: &Moments| {
        report(model, moments.epoch);
        Ok(())
    };
    // No checkpoint is written, so nothing can fail.
    let _ = optimise(model, Moments::default(), data.len(), schedule, &gradient, &mut report, control);
}

#[cfg(test)]
mod tests {
    use super::*;
    use hippolyta::eval::amazons::shapes::squares;
    use hippolyta::games::amazons::Amazons;
    use hippolyta::games::{Notation, Position, variant};
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    /// Positions of random games; what becomes of a square is drawn by `chance`, for the mover and for the other side.
    fn drawn(chance: [f32; 2]) -> Ownership {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(4);
        let variant = &variant::find("amazons6").unwrap();
        let mut data = Ownership::default();
        for _ in 0..60 {
            let mut position = Amazons::from_fen(variant, variant.start()).unwrap();
            while position.outcome().is_none() {
                let mover = position.side_to_move();
                let fates: Vec<Fate> = (0..36)
                    .map(|_| match random.random::<f32>() {
                        drawn if drawn < chance[0] => Fate::Owned(mover),
                        drawn if drawn < chance[0] + chance[1] => Fate::Owned(!mover),
                        drawn if drawn > 0.95 => Fate::Open,
                        _ => Fate::Nobodys,
                    })
                    .collect();
                let margin = if mover == Side::White { 5 } else { -5 };
                data.push(&squares(&position), position.neutral().count() as usize * 200, mover, &fates, Some(margin));
                for _ in 0..2 {
                    let steps = position.steps();
                    position.play(steps[random.random_range(0..steps.len())]);
                }
            }
        }
        data
    }

    #[test]
    fn a_fit_finds_how_often_squares_are_owned_and_the_lead() {
        let data = drawn([0.5, 0.2]);
        let mut model = Model(Owners::blank());
        let schedule = Schedule { epochs: 12, batch: 256, rate: 0.02, evidence: 0.0, others_only: false, seed: 1 };
        let mut losses = vec![model.loss(&data)];
        assert!((losses[0] - 3f64.ln()).abs() < 1e-4);
        fit_owners(&mut model, &data, &schedule, &mut |model, _| losses.push(model.loss(&data)), &Control::default());
        assert_eq!(losses.len(), 13);
        let (mut squares, mut sums, mut lead) = (0.0, [0.0; 2], 0.0);
        for index in 0..data.len() {
            let view = data.view(index);
            let forecast = model.0.forecast(view.squares, view.fine_phase);
            lead += forecast.lead / data.len() as f32;
            for (_, [own, other]) in forecast.squares {
                squares += 1.0;
                sums = [sums[0] + own, sums[1] + other];
            }
        }
        // One in twenty was left open.
        let expected = [0.5, 0.2].map(|chance| chance / 0.95);
        for (sum, expected) in sums.iter().zip(expected) {
            assert!((sum / squares - expected).abs() < 0.02, "{} {expected}", sum / squares);
        }
        assert!((lead - 2.5).abs() < 0.4, "{lead}");
        let entropy: f64 = [expected[0], expected[1], 1.0 - expected[0] - expected[1]]
            .iter()
            .map(|&share| -f64::from(share) * f64::from(share).ln())
            .sum();
        assert!((losses[12] - entropy).abs() < 0.03, "{losses:?} {entropy}");
    }

    #[test]
    fn data_of_two_parts_are_those_of_one() {
        let (mut first, second) = (drawn([0.3, 0.3]), drawn([0.1, 0.6]));
        let (parts, model) = ([first.len(), second.len()], Model(Owners::blank()));
        let squares = |data: &Ownership, index: usize| {
            let view = data.view(index);
            (view.squares.to_vec(), view.fates.to_vec(), view.margin)
        };
        let expected = [squares(&first, 3), squares(&second, parts[1] - 1)];
        first.append(second);
        assert_eq!(first.len(), parts[0] + parts[1]);
        assert_eq!([squares(&first, 3), squares(&first, first.len() - 1)], expected);
        assert!((model.loss(&first) - 3f64.ln()).abs() < 1e-4);
    }
}
