use crate::Output;
use hippolyta::endgame::damone::Tables;
use hippolyta::engine::{Board, Engine, Model, Settings};
use hippolyta::eval::Weights;
use hippolyta::games::variant::Variant;
use std::path::Path;
use std::sync::Arc;

/// Keeps the engine, and what it is made of: settings and a model.
pub(super) struct EngineHolder {
    output: Output,
    model: Model,
    settings: Settings,
    /// Not here while it is lent, nor before it is first needed.
    engine: Option<Engine>,
}

/// New weights, and whether what a file has is for the game; if not, the game is evaluated as before.
type Loaded = (Arc<Weights>, Result<(), String>);

/// A function that makes new weights from those in use and a file, or none, for the game on a board.
pub(super) type Load = fn(&Weights, Option<&Path>, &Board) -> Result<Loaded, String>;

/// The weights of a file, or those that are built in.
pub(super) fn weights(old: &Weights, path: Option<&Path>, board: &Board) -> Result<Loaded, String> {
    let new = path.map_or_else(|| Ok(Weights::embedded()), Weights::load).map_err(|error| error.to_string())?;
    let fits = new.check(board.variant(), board.size());
    let new = if fits.is_ok() { new.with_damone_tables(old.damone_tables.clone()) } else { new.over(old).into() };
    Ok((new, fits))
}

/// With the endgame tables of a file, or without any.
pub(super) fn damone_tables(old: &Weights, path: Option<&Path>, board: &Board) -> Result<Loaded, String> {
    let tables = path.map(Tables::load).transpose().map_err(|error| error.to_string())?;
    let new = old.with_damone_tables(tables.map(Arc::new));
    let fits = new.check_damone_tables(board.variant());
    Ok((new, fits))
}

/// Whether two evaluations and all else that is known are equal.
fn is_the_same(one: &Weights, other: &Weights) -> bool {
    let damone = |weights: &Weights| {
        weights.damone_tables.as_ref().map(|tables| (tables.rules(), tables.pieces(), tables.checksum()))
    };
    one.tables() == other.tables() && damone(one) == damone(other)
}

impl EngineHolder {
    /// No engine yet. Remarks and errors go to `output`.
    pub fn new(output: Output, model: Model) -> Self {
        Self { output, model, settings: Settings::default(), engine: None }
    }

    /// The evaluation in use.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// In force, or what the next engine will ask for.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The engine for `variant`, made when first needed: with less memory or fewer threads, and a word on that, if the
    /// system has no more. `None` (and an error line) if it has not even the least.
    pub fn engine(&mut self, variant: &Variant) -> Option<&mut Engine> {
        if self.engine.is_none() {
            match Engine::with_what_there_is(variant, &self.model, self.settings.clone()) {
                Ok(engine) => self.take_back(engine),
                Err(error) => self.output.error(&error.to_string()),
            }
        }
        self.engine.as_mut()
    }

    /// Gives the engine away, if there is one.
    pub fn lend(&mut self) -> Option<Engine> {
        self.engine.take()
    }

    /// Takes an engine; says so if its settings are less than what was asked for.
    pub fn take_back(&mut self, engine: Engine) {
        let settings = engine.settings().clone();
        for (name, asked, got, unit) in [
            ("Hash", self.settings.hash, settings.hash, " MiB"),
            ("Threads", self.settings.threads, settings.threads, ""),
        ] {
            if got < asked {
                self.output.remark(&format!("{name}: the system has only {got}{unit} of {asked}{unit}"));
            }
        }
        self.settings = settings;
        self.engine = Some(engine);
    }

    /// Forgets what was searched.
    pub fn clear(&mut self) {
        if let Some(engine) = self.engine.as_mut() {
            engine.clear();
        }
    }

    /// Drops the engine: the next one is for another rule set.
    pub fn discard(&mut self) {
        self.engine = None;
    }

    /// Takes other settings of the search.
    pub fn change(&mut self, variant: &Variant, change: impl FnOnce(&mut Settings)) {
        let mut settings = self.settings.clone();
        change(&mut settings);
        if settings == self.settings {
            return;
        }
        // Tried at once, on an engine made for the purpose if need be: a refusal is reported here, not at the next
        // search.
        let result = match &mut self.engine {
            Some(engine) => engine.set(&settings),
            None => Engine::new(variant, &self.model, settings.clone()).map(|engine| self.engine = Some(engine)),
        };
        match result {
            Ok(()) => self.settings = settings,
            Err(error) => self.output.error(&error.to_string()),
        }
    }

    /// Takes weights or tables from the file that an option names, or without a name what is built in. What was
    /// searched is forgotten, unless nothing new is known. What is for other games than the one on `board` is an error,
    /// and kept for them.
    pub fn load(&mut self, board: &Board, option: &str, path: Option<&Path>, load: Load) {
        let Some(weights) = self.model.weights() else {
            return self.output.error(&format!("option {option}: this evaluation is read from no file"));
        };
        let wrong = |error: String| {
            let path = path.unwrap_or(Path::new("")).display();
            self.output.error(&format!("option {option}: {path}: {error}"));
        };
        let (new, fits) = match load(weights, path, board) {
            Ok(loaded) => loaded,
            Err(error) => return wrong(error),
        };
        let _ = fits.map_err(wrong);
        if !is_the_same(weights, &new) {
            self.replace(board.variant(), Model::Learned(new));
        }
    }

    /// Takes endgame tables, unless they are in use. What was searched is forgotten.
    pub fn take_tables(&mut self, variant: &Variant, tables: Arc<Tables>) {
        let Some(weights) = self.model.weights() else { return };
        if weights.damone_tables.as_ref().is_none_or(|known| !Arc::ptr_eq(known, &tables)) {
            self.replace(variant, Model::Learned(weights.with_damone_tables(Some(tables))));
        }
    }

    /// Takes another model. What was searched is forgotten.
    pub fn replace(&mut self, variant: &Variant, model: Model) {
        match Engine::new(variant, &model, self.settings.clone()) {
            Ok(engine) => (self.engine, self.model) = (Some(engine), model),
            Err(error) => self.output.error(&error.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::Buffer;
    use hippolyta::games::variant;

    fn holder(model: Model) -> (EngineHolder, Buffer) {
        let buffer = Buffer::default();
        let mut holder = EngineHolder::new(Output::new(buffer.clone()), model);
        holder.settings = Settings { hash: 2, threads: 2, ..Settings::default() };
        (holder, buffer)
    }

    #[test]
    fn less_than_was_asked_for_is_said_once_and_then_in_force() {
        let (mut holder, buffer) = holder(Model::default());
        let less = Settings { hash: 1, threads: 1, ..Settings::default() };
        let engine = Engine::new(variant::DEFAULT, &holder.model, less.clone()).unwrap();
        holder.take_back(engine);
        assert_eq!(
            buffer.take(),
            ["info string Hash: the system has only 1 MiB of 2 MiB", "info string Threads: the system has only 1 of 2"]
        );
        assert_eq!(holder.settings(), &less);
        let engine = holder.lend().unwrap();
        holder.take_back(engine);
        assert_eq!(buffer.take(), [""; 0]);
    }

    #[test]
    fn what_is_refused_leaves_the_settings() {
        let (mut holder, buffer) = holder(Model::default());
        for made in [false, true] {
            let before = holder.settings().clone();
            holder.change(variant::DEFAULT, |settings| settings.hash = usize::MAX >> 20);
            let said = buffer.take();
            assert!(said.len() == 1 && said[0].starts_with("info string ERROR: cannot allocate "), "{said:?}");
            assert_eq!((holder.settings(), holder.engine.is_some()), (&before, made));
            holder.change(variant::DEFAULT, |settings| settings.hash = 1);
            assert_eq!((holder.settings().hash, holder.engine.is_some()), (1, true));
        }
        assert_eq!(buffer.take(), [""; 0]);
    }

    #[test]
    fn only_other_weights_make_another_engine() {
        let (mut holder, buffer) = holder(Model::default());
        let load = |holder: &mut EngineHolder, load: Load| {
            holder.engine = None;
            holder.load(&Board::new(variant::DEFAULT), "EvalFile", Some(Path::new("a.bin")), load);
            holder.engine.is_some()
        };
        assert!(!load(&mut holder, |old, _, _| Ok((old.with_damone_tables(None), Ok(())))));
        assert!(!load(&mut holder, |_, path, _| Err(format!("no {}", path.unwrap().display()))));
        assert_eq!(buffer.take(), ["info string ERROR: option EvalFile: a.bin: no a.bin"]);
        let other: Load = |old, _, _| {
            let mut tables = old.tables();
            tables.notes.push('!');
            let bytes = tables.to_bytes();
            Ok((Weights::from_bytes(&bytes).unwrap(), Ok(())))
        };
        assert!(load(&mut holder, other));
        assert_eq!(buffer.take(), [""; 0]);
    }

    #[test]
    fn what_is_read_from_no_file_takes_none() {
        let (mut holder, buffer) = holder(Model::Playouts);
        holder.load(&Board::new(variant::DEFAULT), "EvalFile", None, weights);
        assert_eq!(buffer.take(), ["info string ERROR: option EvalFile: this evaluation is read from no file"]);
        assert!(holder.engine.is_none());
    }
}
