/// The stone that a shot leaves on its square.
///
/// ```
/// use hippolyta_rules::games::desdemona::{Leaves, Rules};
///
/// assert_eq!(Rules::DESDEMONA.plain, Leaves::Neutral);
/// assert_eq!(Rules::IAGO.plain, Leaves::Own);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaves {
    /// A stone of the shooter's colour.
    Own,
    /// A neutral stone, which never flips.
    Neutral,
}

/// Which stones flip.
///
/// ```
/// use hippolyta_rules::games::desdemona::{Desdemona, Flips, Leaves, Rules};
/// use hippolyta_rules::games::{Game, Notation, Side, variant};
///
/// assert_eq!(Rules::CASSIO.flips, Flips::Run(Leaves::Neutral));
/// // White fires from b5 over Black's stone c6, which flips, at d7. In Cassio the stone on d7 is neutral.
/// let cassio = &variant::find("cassio")?;
/// let mut game = Game::new(Desdemona::from_fen(cassio, "9q/10/10/10/2s7/10/Q9/10/10/10 w")?);
/// game.play_text("a4b5,b5d7")?;
/// assert_eq!(game.current().stones(Side::White).count(), 1);
/// assert_eq!(game.current().neutral().count(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flips {
    /// A flip shot goes over a run of enemy stones, which flip. It leaves what is said here. All other shots flip
    /// nothing.
    Run(Leaves),
    /// As in Othello: every unbroken run of enemy stones between the shot's square and an own stone or amazon flips.
    /// There are no flip shots.
    Lines,
}

/// Rules in which the rule sets of the family differ.
///
/// ```
/// use hippolyta_rules::games::desdemona::{Desdemona, Rules};
/// use hippolyta_rules::games::variant;
///
/// let rules = Desdemona::rules_of(&variant::find("desdemona")?);
/// assert_eq!(rules, &Rules::DESDEMONA);
/// assert!(rules.rim_barred && !Rules::CASSIO.rim_barred);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, PartialEq, Eq)]
pub struct Rules {
    /// A plain shot may not land on the board's edge.
    pub rim_barred: bool,
    /// Amazons may move over own stones and own amazons.
    pub passes_own: bool,
    /// The stone that a plain shot, which flips nothing, leaves.
    pub plain: Leaves,
    /// Which stones flip.
    pub flips: Flips,
}

impl Rules {
    /// The text rules of 2020-11-14.
    pub const DESDEMONA: Self =
        Self { rim_barred: true, passes_own: false, plain: Leaves::Neutral, flips: Flips::Run(Leaves::Own) };
    /// The text rules of 2020-11-14.
    pub const CASSIO: Self =
        Self { rim_barred: false, passes_own: false, plain: Leaves::Neutral, flips: Flips::Run(Leaves::Neutral) };
    /// The text rules of 2020-11-14.
    pub const IAGO: Self = Self { rim_barred: false, passes_own: true, plain: Leaves::Own, flips: Flips::Lines };
    /// The text rules of 2020-11-07.
    pub const EARLY: Self =
        Self { rim_barred: false, passes_own: false, plain: Leaves::Own, flips: Flips::Run(Leaves::Neutral) };
    /// The text rules of 2020-11-07, with the border rule.
    pub const EARLY_BORDER: Self =
        Self { rim_barred: true, passes_own: false, plain: Leaves::Own, flips: Flips::Run(Leaves::Own) };
    /// The rules that the web site plays as Desdemona.
    pub const DESDEMONA_SITE: Self = Self::EARLY_BORDER;
    /// The rules that the web site plays as Cassio.
    pub const CASSIO_SITE: Self = Self::EARLY;

    /// Whether a move over empty squares always leaves a shot: back to the square before it.
    pub(super) fn every_move_has_a_shot(&self) -> bool {
        !self.rim_barred && !self.passes_own
    }
}
