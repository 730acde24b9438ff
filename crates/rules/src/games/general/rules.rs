use crate::board::Reach;
use crate::games::Side;

/// Where a fire lands.
///
/// ```
/// use hippolyta_rules::games::general::{FireAt, Rules};
/// assert_eq!(Rules::AMAZONS.fire_at, FireAt::Reach);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FireAt {
    /// Where [`Rules::fires`] leads from the square that the piece moved to.
    Reach,
    /// The square that the piece left, and no other.
    Left,
    /// Any empty square.
    Anywhere,
}

/// The arrow or stone that a fire leaves on its square.
///
/// ```
/// use hippolyta_rules::games::general::{Leaves, Rules};
/// assert_eq!(Rules::AMAZONS.plain, Leaves::Arrow);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Leaves {
    /// An arrow: nobody's, and for ever.
    Arrow,
    /// A neutral stone: an arrow by another name.
    Neutral,
    /// A stone of the side that fires.
    Own,
}

/// Which stones change sides.
///
/// ```
/// use hippolyta_rules::games::general::{Flips, Rules};
/// assert_eq!(Rules::AMAZONS.flips, Flips::None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Flips {
    /// None.
    None,
    /// Besides plain fires there are those over a run of enemy stones, which flip: they begin next to the piece, and
    /// the fire lands on the first square behind them. Such a fire leaves what is said here, and may land on the rim.
    Run(Leaves),
    /// As in Othello: every unbroken run of enemy stones between the square of the fire and an own stone or piece.
    Lines,
}

/// Who wins if the side to move has no complete turn.
///
/// ```
/// use hippolyta_rules::games::Side;
/// use hippolyta_rules::games::general::{Rules, Stuck, Tie};
///
/// let rules = Rules { stuck: Stuck::MostStones(Tie::For(Side::Black)), ..Rules::AMAZONS };
/// assert!(!rules.can_be_drawn());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stuck {
    /// The other side.
    Loses,
    /// This side.
    Wins,
    /// Nobody.
    Draws,
    /// Whoever has more stones.
    MostStones(Tie),
    /// Whoever has fewer stones.
    FewestStones(Tie),
}

/// Who wins if both sides have as many stones.
///
/// ```
/// use hippolyta_rules::games::Side;
/// use hippolyta_rules::games::general::Tie;
/// assert_ne!(Tie::Draw, Tie::For(Side::Black));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tie {
    /// Nobody.
    Draw,
    /// This side.
    For(Side),
}

/// The rules of a game in which a piece moves and then fires. All else, the size of the board and where pieces stand,
/// is in the FEN.
///
/// ```
/// use hippolyta_rules::board::Reach;
/// use hippolyta_rules::games::general::{Rules, Stuck};
///
/// let misere = Rules { stuck: Stuck::Wins, ..Rules::AMAZONS };
/// let knights = Rules { moves: Reach::KNIGHT, fires: Reach::KNIGHT, ..Rules::AMAZONS };
/// assert!(misere != Rules::AMAZONS && !knights.has_stones());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rules {
    /// How a piece moves: over empty squares, to an empty one.
    pub moves: Reach,
    /// How it fires: over empty squares, at an empty one. Without meaning unless it fires so.
    pub fires: Reach,
    /// Where a fire lands.
    pub fire_at: FireAt,
    /// The arrow or stone that a plain fire, which goes over no stones, leaves.
    pub plain: Leaves,
    /// Which stones change sides.
    pub flips: Flips,
    /// A plain fire may not land on the board's edge.
    pub rim_barred: bool,
    /// Pieces may move over other pieces of their side. These count for a bound of [`moves`](Self::moves).
    pub passes_pieces: bool,
    /// Pieces may move over stones of their side.
    pub passes_stones: bool,
    /// A turn may end with its move, and need not fire.
    pub may_hold: bool,
    /// The first turn of a game, whose FEN has the flag `m`, is a move without fire.
    pub moves_first: bool,
    /// Who wins if the side to move has no complete turn.
    pub stuck: Stuck,
}

impl Rules {
    /// The Game of the Amazons.
    pub const AMAZONS: Self = Self {
        moves: Reach::QUEEN,
        fires: Reach::QUEEN,
        fire_at: FireAt::Reach,
        plain: Leaves::Arrow,
        flips: Flips::None,
        rim_barred: false,
        passes_pieces: false,
        passes_stones: false,
        may_hold: false,
        moves_first: false,
        stuck: Stuck::Loses,
    };

    /// Whether stones with a side mean something in this game.
    ///
    /// ```
    /// use hippolyta_rules::games::general::{Leaves, Rules};
    /// assert!(Rules { plain: Leaves::Own, ..Rules::AMAZONS }.has_stones());
    /// ```
    #[must_use]
    pub fn has_stones(&self) -> bool {
        let counted = matches!(self.stuck, Stuck::MostStones(_) | Stuck::FewestStones(_));
        self.plain == Leaves::Own || self.flips != Flips::None || self.passes_stones || counted
    }

    /// Whether games may end in a draw.
    ///
    /// ```
    /// use hippolyta_rules::games::general::Rules;
    /// assert!(!Rules::AMAZONS.can_be_drawn());
    /// assert!(Rules { may_hold: true, ..Rules::AMAZONS }.can_be_drawn());
    /// ```
    #[must_use]
    pub fn can_be_drawn(&self) -> bool {
        let tied = matches!(self.stuck, Stuck::MostStones(Tie::Draw) | Stuck::FewestStones(Tie::Draw));
        tied || self.stuck == Stuck::Draws || self.may_hold
    }

    /// Whether a turn can always be ended after its move: without fire, or by a fire at the square that the move left,
    /// which is empty and as far away as the piece has come.
    pub(super) fn every_move_has_a_fire(&self) -> bool {
        let passes = self.passes_pieces || self.passes_stones;
        let back = self.fire_at != FireAt::Reach || self.fires.contains(self.moves) && !passes;
        self.may_hold || back && !self.rim_barred
    }
}
