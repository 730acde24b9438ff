/// What a shot leaves on its square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaves {
    /// A stone of the shooter's colour.
    Own,
    /// A stone of nobody, which never flips.
    Neutral,
}

/// Which stones flip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flips {
    /// The run of enemy stones that a flip shot goes over; it leaves what is said here behind it. All other shots flip
    /// nothing.
    Run(Leaves),
    /// As in Othello: every unbroken run of enemy stones between the shot's square and an own stone or amazon. There
    /// are no flip shots.
    Lines,
}

/// What the rule sets of the family differ in.
#[derive(Debug, PartialEq, Eq)]
pub struct Rules {
    /// A plain shot may not land on the board's edge.
    pub rim_barred: bool,
    /// Moving amazons step over own stones and own amazons.
    pub passes_own: bool,
    /// What a plain shot leaves.
    pub plain: Leaves,
    /// What flips.
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
    /// What the web site plays as Desdemona.
    pub const DESDEMONA_SITE: Self = Self::EARLY_BORDER;
    /// What the web site plays as Cassio.
    pub const CASSIO_SITE: Self = Self::EARLY;

    /// Whether a move over empty squares always leaves a shot: back to the square before it.
    pub(super) fn every_move_has_a_shot(&self) -> bool {
        !self.rim_barred && !self.passes_own
    }
}
