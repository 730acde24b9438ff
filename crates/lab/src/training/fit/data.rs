//! From games of self-play to samples.

use super::error::FitError;
use super::network::Samples;
use super::odds::Target;
use super::options::FitOptions;
use super::owners::Ownership;
use super::softmax::Choices;
use crate::training::record::{self, FileError, GameData};
use crate::training::trainable::{Trainable, group};
use hippolyta::engine::Board;
use hippolyta::eval::Weights;
use hippolyta::eval::amazons::shapes::owners::{Fate, Fates};
use hippolyta::eval::weights::{AMAZONS, BoardSize};
use hippolyta::games::variant::{self, Variant};
use hippolyta::games::{FenError, Side, Step};
use hippolyta::search::Control;
use rayon::prelude::*;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// The least number of training games. Each has only one result, whatever the number of its positions.
pub const FEWEST_GAMES: usize = 8;

/// Samples for the evaluation, for the policy and for the ownership.
#[derive(Default)]
pub struct Data {
    pub samples: Samples,
    pub choices: Choices,
    pub ownership: Ownership,
}

/// Plays the step with this code; `None` if it is illegal.
fn play<P: Trainable>(position: &mut P, code: u16) -> Option<()> {
    let step = P::Step::from_code(code);
    let legal =
        position.for_each_step(|known| if known == step { ControlFlow::Break(()) } else { ControlFlow::Continue(()) });
    legal.is_break().then(|| position.play(step))
}

/// Calls `f` with the number of every turn of a recorded game and the position before it. Returns the last
/// position, and `None` if the game breaks the rules, or if `f` says so.
pub fn for_each_turn<P: Trainable>(
    game: &GameData,
    start: &P,
    mut f: impl FnMut(usize, &P) -> Option<()>,
) -> Option<P> {
    let mut position = start.clone();
    for turn in &game.opening {
        turn.iter().try_for_each(|&code| play(&mut position, code))?;
    }
    for (number, turn) in game.turns.iter().enumerate() {
        if !position.at_turn_start() || position.outcome().is_some() {
            return None;
        }
        f(number, &position)?;
        turn.steps.iter().try_for_each(|&code| play(&mut position, code))?;
    }
    Some(position)
}

/// Who owns each square at the end of a game, in the order of [`Trainable::squares`]; empty if this is not learned.
/// `None` if the game breaks the rules.
pub fn fates<P: Trainable>(game: &GameData, start: &P) -> Option<Vec<Fate>> {
    if P::OWNERS == 0 {
        return Some(Vec::new());
    }
    let mut seen = Fates::default();
    let end = for_each_turn::<P>(game, start, |_, position| {
        position.see(&mut seen);
        Some(())
    })?;
    end.see(&mut seen);
    Some(end.fates(seen))
}

impl Data {
    fn append(&mut self, other: Self) {
        self.samples.append(other.samples);
        self.choices.append(other.choices);
        self.ownership.append(other.ownership);
    }

    /// Adds the samples of a game; `None` if it breaks the rules. Positions of trees are for training alone.
    fn take<P: Trainable>(&mut self, game: &GameData, start: &P, options: &FitOptions, training: bool) -> Option<()> {
        let fates = fates(game, start)?;
        let search_share = if training { options.search_share } else { 0.0 };
        for_each_turn::<P>(game, start, |number, position| {
            let turn = &game.turns[number];
            self.evaluation(position, game.result, turn.score, search_share);
            let place_in_run = game.number as usize + number;
            for (index, inner) in turn.inner.iter().enumerate().filter(|_| training) {
                if options.inner_every > 0 && (place_in_run + index).is_multiple_of(options.inner_every as usize) {
                    let mut below = position.clone();
                    inner.path.iter().try_for_each(|&code| play(&mut below, code))?;
                    if below.at_turn_start() && below.outcome().is_none() {
                        self.evaluation(&below, game.result, inner.score, options.inner_share);
                    }
                }
            }
            if (place_in_run as u64).is_multiple_of(options.policy_every) {
                if !fates.is_empty() {
                    let (phase, mover) = (position.fine_phase(), position.side_to_move());
                    self.ownership.push(&position.squares(), phase, mover, &fates, game.margin);
                }
                let mut within = position.clone();
                for (&step, visits) in turn.steps.iter().zip(&turn.visits) {
                    self.choice(&within, visits);
                    play(&mut within, step)?;
                }
            }
            Some(())
        })?;
        Some(())
    }

    fn evaluation<P: Trainable>(&mut self, position: &P, result: u8, score: u16, share: f32) {
        let Some(sample) = position.sample() else { return };
        let score = f32::from(score) / 65_535.0;
        let (result, score) =
            if position.side_to_move() == Side::White { (result, score) } else { (2 - result, 1.0 - score) };
        let counts = (0..).zip(sample.counts).filter(|&(_, count)| count != 0);
        let counts = counts.map(|(feature, count)| (feature, count as i16));
        let target = Target { result, score, share };
        self.samples.push(counts, sample.fine_phase / 256, sample.draw_class, target);
        self.samples.push_squares(&position.squares());
    }

    fn choice<P: Trainable>(&mut self, position: &P, visits: &[(u16, u16)]) {
        let total: f32 = visits.iter().map(|&(_, visits)| f32::from(visits)).sum();
        let steps: Vec<P::Step> = position.steps();
        if steps.len() < 2 || total < 2.0 {
            return;
        }
        let features = position.step_features(&steps);
        let share = |step: &P::Step| {
            let found = visits.iter().find(|&&(code, _)| code == step.code());
            found.map_or(0.0, |&(_, visits)| f32::from(visits) / total)
        };
        let candidates = steps.iter().zip(&features).map(|(step, features)| (&features[..], share(step)));
        self.choices.push(candidates, position.fine_phase() / 256);
        self.choices.push_squares(&position.squares(), &position.step_squares(&steps));
    }
}

/// Where the games of a file begin, whose rule set must be of the group called `name`, and the games.
pub fn read<P: Trainable>(path: &Path, name: &str) -> Result<(P, Vec<GameData>), FitError> {
    let mut reader = record::open(path)?;
    let variant = known(path, &reader.header().variant)?;
    if group(&variant) != name {
        let (path, variant) = (path.display(), variant.name());
        let text = format!("{path}: games of {variant}, which are not learned together with those of '{name}'");
        return Err(FitError::Unfit(text));
    }
    let fen = reader.header().start.as_deref().unwrap_or(variant.start());
    let start = P::from_fen(&variant, fen).map_err(bad_start(path))?;
    let mut games = Vec::new();
    while let Some(game) = reader.next().map_err(FileError::at(path))? {
        games.push(game);
    }
    Ok((start, games))
}

/// Where the results of a fit to these files go: the name of its linear tables, and `known` with tables of this name.
/// Files of the Amazons on boards of one size change the weights of that size and no others; files of several sizes
/// change what the sizes share that have none of their own. Rules of one's own have tables of their own.
pub fn destination(files: &[PathBuf], known: &Weights) -> Result<(String, Weights), FitError> {
    let variant = variant_of(first(files)?)?;
    known.check_any_size(&variant).map_err(|why| FitError::Unfit(format!("--start: {why}")))?;
    let group = group(&variant);
    let mut sizes = Vec::new();
    if group == AMAZONS {
        for path in files {
            let reader = record::open(path)?;
            let variant = self::known(path, &reader.header().variant)?;
            let fen = reader.header().start.as_deref().unwrap_or(variant.start());
            let (width, height) = Board::from_fen(&variant, fen).map_err(bad_start(path))?.size();
            sizes.extend(BoardSize::new(width, height));
        }
    }
    sizes.dedup();
    Ok(match sizes[..] {
        [size] => (size.tables(), known.with_amazons_size(size)),
        _ => (group.into_owned(), known.with_own(&variant)),
    })
}

/// The first of some data files.
pub fn first(files: &[PathBuf]) -> Result<&Path, FitError> {
    FitError::if_few("data files", files.len(), 1)?;
    Ok(&files[0])
}

/// The rule set of a data file.
pub fn variant_of(path: &Path) -> Result<Variant, FitError> {
    known(path, &record::open(path)?.header().variant)
}

/// The rule set that a file names.
fn known(path: &Path, name: &str) -> Result<Variant, FitError> {
    let unknown = || format!("{}: games of '{name}', which is no rule set of this program", path.display());
    variant::find(name).map_err(|_| FitError::Unfit(unknown()))
}

/// The start position of a file is none.
fn bad_start(path: &Path) -> impl Fn(FenError) -> FitError {
    move |error| FitError::Unfit(format!("{}: start position: {error}", path.display()))
}

/// Whether a game is held out for validation.
pub fn is_aside(game: &GameData, options: &FitOptions) -> bool {
    game.number.is_multiple_of(options.validation)
}

/// The samples of all games of some files, for training and for validation.
pub fn gather<P: Trainable>(
    files: &[PathBuf],
    name: &str,
    options: &FitOptions,
    control: &Control,
) -> Result<[Data; 2], FitError> {
    let (mut training, mut validation) = (Data::default(), Data::default());
    let mut to_learn_from = 0;
    for path in files {
        let (start, games) = read::<P>(path, name)?;
        let (aside, rest): (Vec<_>, Vec<_>) = games.into_iter().partition(|game| is_aside(game, options));
        to_learn_from += rest.len();
        for (games, into, trains) in [(rest, &mut training, true), (aside, &mut validation, false)] {
            let parts = games.par_chunks(256).map(|games| {
                FitError::if_stopped(control)?;
                let mut data = Data::default();
                for game in games {
                    data.take(game, &start, options, trains).ok_or_else(|| FitError::illegal(path, game))?;
                }
                Ok(data)
            });
            for part in parts.collect::<Vec<Result<Data, FitError>>>() {
                into.append(part?);
            }
        }
    }
    FitError::if_few("games to learn from", to_learn_from, FEWEST_GAMES)?;
    FitError::if_few("positions to learn from", training.samples.len(), 1)?;
    FitError::if_few("choices to learn from", training.choices.len(), 1)?;
    FitError::if_few("positions in games left aside for validation", validation.samples.len(), 1)?;
    FitError::if_few("choices in games left aside for validation", validation.choices.len(), 1)?;
    Ok([training, validation])
}
