use hippolyta::engine::{AnalyseError, Analysis, Board, Control, Engine, Limits, Model, Settings};
use hippolyta::games::variant::Variant;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The engine with its settings. It takes its memory when it is first needed, so that a process that GoGui keeps only
/// for the rules stays small.
pub(super) struct LazyEngine {
    model: Model,
    settings: Settings,
    engine: Option<Engine>,
}

impl LazyEngine {
    pub fn new(model: Model, settings: Settings) -> Self {
        Self { model, settings, engine: None }
    }

    /// In force, or what the engine will ask for.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Takes other settings; the engine keeps what it has searched where it can.
    ///
    /// # Errors
    ///
    /// If the system has no such memory or threads. Then the old settings stay.
    pub fn change(&mut self, change: impl FnOnce(&mut Settings)) -> Result<(), String> {
        let mut settings = self.settings.clone();
        change(&mut settings);
        if let Some(engine) = &mut self.engine {
            engine.set(&settings).map_err(|error| error.to_string())?;
        }
        self.settings = settings;
        Ok(())
    }

    /// Forgets what was searched.
    pub fn clear(&mut self) {
        if let Some(engine) = &mut self.engine {
            engine.clear();
        }
    }

    /// The engine, made when it is first needed: with less memory or fewer threads if the system has no more.
    pub fn engine(&mut self, variant: &Variant) -> Result<&mut Engine, String> {
        let engine = match self.engine.take() {
            Some(engine) => engine,
            None => Engine::with_what_there_is(variant, &self.model, self.settings.clone())
                .map_err(|error| error.to_string())?,
        };
        self.settings = engine.settings().clone();
        Ok(self.engine.insert(engine))
    }

    /// Searches, with `lines` lines.
    pub fn analyse(
        &mut self,
        board: &Board,
        lines: usize,
        limits: &Limits,
        control: &Control,
        observer: &mut (dyn FnMut(&Analysis) + Send),
    ) -> Result<Analysis, String> {
        let engine = self.engine(board.variant())?;
        let settings = Settings { multi_pv: lines, ..engine.settings().clone() };
        engine.set(&settings).map_err(|error| error.to_string())?;
        let found = catch_unwind(AssertUnwindSafe(|| engine.analyse(board, limits, control, observer)));
        found.map_or_else(
            |_| {
                self.engine = None;
                Err("the search failed".to_owned())
            },
            |found| found.map_err(|error: AnalyseError| error.to_string()),
        )
    }
}
