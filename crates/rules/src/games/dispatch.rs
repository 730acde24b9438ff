use super::variant::{Family, Variant};
use super::{Notation, Symmetry};

/// The one list of families: evaluates an expression in which a name stands for the type of a rule set's positions.
#[doc(hidden)]
#[macro_export]
macro_rules! with_family {
    ($variant:expr, $P:ident => $body:expr) => {
        match $variant.family() {
            $crate::games::variant::Family::Amazons => {
                type $P = $crate::games::amazons::Amazons;
                $body
            }
            $crate::games::variant::Family::Desdemona(_) => {
                type $P = $crate::games::desdemona::Desdemona;
                $body
            }
            $crate::games::variant::Family::Damone(_) => {
                type $P = $crate::games::damone::Damone;
                $body
            }
            $crate::games::variant::Family::General(_) => {
                type $P = $crate::games::general::General;
                $body
            }
        }
    };
}
#[doc(hidden)]
pub use with_family;

/// Work that is the same in every game. [`Variant::run`] finds the type of the positions.
///
/// ```
/// use hippolyta_rules::games::{GameTask, Notation, legal_turns, variant};
///
/// /// Counts the turns of the start position.
/// struct Count;
///
/// impl GameTask for Count {
///     type Output = usize;
///
///     fn run<P: Notation>(self, variant: &variant::Variant) -> usize {
///         P::from_fen(variant, variant.start()).map_or(0, |start| legal_turns(&start).len())
///     }
/// }
///
/// assert_eq!(variant::find("amazons6")?.run(Count), 544);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait GameTask {
    /// The result of the task.
    type Output;

    /// Does the task for a rule set whose positions are of type `P`.
    fn run<P: Notation>(self, variant: &Variant) -> Self::Output;
}

impl Variant {
    /// Does `task` with the type of this rule set's positions.
    pub fn run<T: GameTask>(&self, task: T) -> T::Output {
        with_family!(self, P => task.run::<P>(self))
    }

    /// The symmetries of boards of this size that the rules keep, the one that changes nothing first: those of the
    /// family, but for protected squares that they do not keep.
    ///
    /// ```
    /// use hippolyta_rules::games::variant;
    ///
    /// assert_eq!(variant::find("amazons")?.symmetries((10, 10)).len(), 8);
    /// # #[cfg(feature = "files")]
    /// let isolation = variant::find("a = { start = '1q1/3/1Q1', protect = 'b1 b3' }")?;
    /// # #[cfg(feature = "files")]
    /// assert_eq!(isolation.symmetries((3, 3)).len(), 4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn symmetries(&self, size: (usize, usize)) -> Vec<Symmetry> {
        let keeps = |symmetry: &&Symmetry| match self.family() {
            Family::General(rules) => rules.keep(**symmetry, size),
            _ => true,
        };
        with_family!(self, P => P::SYMMETRIES).iter().filter(keeps).copied().collect()
    }
}
