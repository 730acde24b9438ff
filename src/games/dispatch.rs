use super::Notation;
use super::amazons::Amazons;
use super::damone::Damone;
use super::desdemona::Desdemona;
use super::variant::{Family, Variant};

/// Work that is the same in every game; [`Variant::run`] finds the type of the positions.
///
/// ```
/// use hippolyta::games::{GameTask, Notation, legal_turns, variant};
///
/// /// Counts the turns of the start position.
/// struct Count;
///
/// impl GameTask for Count {
///     type Output = usize;
///
///     fn run<P: Notation>(self, variant: &'static variant::Variant) -> usize {
///         P::from_fen(variant, variant.start).map_or(0, |start| legal_turns(&start).len())
///     }
/// }
///
/// assert_eq!(variant::find("amazons6")?.run(Count), 544);
/// # Ok::<(), variant::UnknownVariant>(())
/// ```
pub trait GameTask {
    /// What comes of it.
    type Output;

    /// Does it for a rule set whose positions are `P`.
    fn run<P: Notation>(self, variant: &'static Variant) -> Self::Output;
}

impl Variant {
    /// Does `task` with the positions of this rule set.
    pub fn run<T: GameTask>(&'static self, task: T) -> T::Output {
        match self.family {
            Family::Amazons => task.run::<Amazons>(self),
            Family::Desdemona(_) => task.run::<Desdemona>(self),
            Family::Damone(_) => task.run::<Damone>(self),
        }
    }
}
