use crate::board::{Bitboard, Reach};
use crate::games::{Side, Symmetry};

/// Where a fire lands.
///
/// ```
/// use hippolyta_rules::games::move_fire::{FireAt, Rules};
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
    /// Any empty square on the board's edge, or beside one where an arrow, a stone or a hole is, along a rank or file.
    Edge,
}

/// Whether a turn fires.
///
/// ```
/// use hippolyta_rules::games::move_fire::{Rules, Turns};
/// assert_eq!(Rules::AMAZONS.turns, Turns::MoveAndFire);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Turns {
    /// A piece moves, and then it fires.
    MoveAndFire,
    /// As before, but it need not fire.
    FireOptional,
    /// A piece moves, or one fires from where it stands.
    MoveOrFire,
}

/// The arrow or stone that a fire leaves on its square.
///
/// ```
/// use hippolyta_rules::games::move_fire::{Leaves, Rules};
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
/// use hippolyta_rules::games::desdemona::Desdemona;
/// use hippolyta_rules::games::move_fire::{Flips, Leaves, Rules};
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
/// use hippolyta_rules::games::move_fire::{Rules, Stuck, Tie};
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
/// use hippolyta_rules::games::move_fire::Tie;
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
/// use hippolyta_rules::games::move_fire::{Rules, Stuck};
///
/// let misere = Rules { stuck: Stuck::Wins, ..Rules::AMAZONS };
/// let knights = Rules { moves: [Reach::KNIGHT; 2], fires: [Reach::KNIGHT; 2], ..Rules::AMAZONS };
/// assert!(misere != Rules::AMAZONS && !knights.has_stones());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rules {
    /// How a piece of White's and one of Black's moves: over empty squares, to an empty one.
    pub moves: [Reach; 2],
    /// How they fire: over empty squares, at an empty one. Without meaning unless they fire so.
    pub fires: [Reach; 2],
    /// Where a fire lands.
    pub fire_at: FireAt,
    /// The arrow or stone that a plain fire, which goes over no stones, leaves.
    pub plain: Leaves,
    /// Which stones change sides.
    pub flips: Flips,
    /// A plain fire may not land on the board's edge.
    pub rim_barred: bool,
    /// Squares that no fire of White's, and none of Black's, may land on.
    pub protected: [Bitboard; 2],
    /// Pieces may move over other pieces of their side. These count for a bound of [`moves`](Self::moves).
    pub passes_pieces: bool,
    /// Pieces may move over stones of their side.
    pub passes_stones: bool,
    /// Whether a turn fires.
    pub turns: Turns,
    /// The first turn of a game, whose FEN has the flag `m`, is a move without fire.
    pub moves_first: bool,
    /// Who wins if the side to move has no complete turn.
    pub stuck: Stuck,
    /// It passes as long as the other side has one, and the game ends when neither has.
    pub stuck_passes: bool,
}

impl Rules {
    /// The Game of the Amazons.
    pub const AMAZONS: Self = Self {
        moves: [Reach::QUEEN; 2],
        fires: [Reach::QUEEN; 2],
        fire_at: FireAt::Reach,
        plain: Leaves::Arrow,
        flips: Flips::None,
        rim_barred: false,
        protected: [Bitboard::EMPTY; 2],
        passes_pieces: false,
        passes_stones: false,
        turns: Turns::MoveAndFire,
        moves_first: false,
        stuck: Stuck::Loses,
        stuck_passes: false,
    };

    /// Desdemona, and its relatives below: the text rules of 2020-11-14. Amazons and fires go as in the Amazons, and
    /// the side with more stones wins.
    pub const DESDEMONA: Self = Self {
        plain: Leaves::Neutral,
        flips: Flips::Run(Leaves::Own),
        rim_barred: true,
        moves_first: true,
        stuck: Stuck::MostStones(Tie::Draw),
        ..Self::AMAZONS
    };
    /// The text rules of 2020-11-14.
    pub const CASSIO: Self = Self { rim_barred: false, flips: Flips::Run(Leaves::Neutral), ..Self::DESDEMONA };
    /// The text rules of 2020-11-14.
    pub const IAGO: Self = Self {
        rim_barred: false,
        passes_pieces: true,
        passes_stones: true,
        plain: Leaves::Own,
        flips: Flips::Lines,
        ..Self::DESDEMONA
    };
    /// The text rules of 2020-11-07.
    pub const EARLY: Self = Self { plain: Leaves::Own, ..Self::CASSIO };
    /// The text rules of 2020-11-07, with the border rule.
    pub const EARLY_BORDER: Self = Self { plain: Leaves::Own, ..Self::DESDEMONA };
    /// The rules that the web site plays as Desdemona.
    pub const DESDEMONA_SITE: Self = Self::EARLY_BORDER;
    /// The rules that the web site plays as Cassio.
    pub const CASSIO_SITE: Self = Self::EARLY;

    /// Whether stones with a side mean something in this game.
    ///
    /// ```
    /// use hippolyta_rules::games::move_fire::{Leaves, Rules};
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
    /// use hippolyta_rules::games::move_fire::{Rules, Turns};
    /// assert!(!Rules::AMAZONS.can_be_drawn());
    /// assert!(Rules { turns: Turns::FireOptional, ..Rules::AMAZONS }.can_be_drawn());
    /// ```
    #[must_use]
    pub fn can_be_drawn(&self) -> bool {
        let tied = matches!(self.stuck, Stuck::MostStones(Tie::Draw) | Stuck::FewestStones(Tie::Draw));
        tied || self.stuck == Stuck::Draws || self.may_hold()
    }

    /// Whether a turn may be a move without fire, be it the first one or not.
    ///
    /// ```
    /// use hippolyta_rules::games::move_fire::{Rules, Turns};
    /// assert!(Rules { turns: Turns::MoveOrFire, ..Rules::AMAZONS }.may_hold());
    /// ```
    #[inline(always)]
    #[must_use]
    pub fn may_hold(&self) -> bool {
        self.turns != Turns::MoveAndFire
    }

    /// Whether a region that only one side's pieces can ever reach is a number of turns of that side, which nobody
    /// else changes, and these decide the game: each turn fills a square where its piece can get to, none changes sides
    /// or is passed over, and a side without a turn loses.
    ///
    /// ```
    /// use hippolyta_rules::board::Reach;
    /// use hippolyta_rules::games::move_fire::{FireAt, Rules};
    ///
    /// let knights = Rules { moves: [Reach::KNIGHT; 2], ..Rules::AMAZONS };
    /// assert!(knights.closes_territories() && !Rules::IAGO.closes_territories());
    /// assert!(!Rules { fire_at: FireAt::Anywhere, ..knights }.closes_territories());
    /// ```
    #[must_use]
    pub fn closes_territories(&self) -> bool {
        let is_near = matches!(self.fire_at, FireAt::Reach | FireAt::Left);
        let passes = self.passes_pieces || self.passes_stones;
        let is_plain = self.turns == Turns::MoveAndFire && self.flips == Flips::None;
        is_near && !passes && is_plain && self.stuck == Stuck::Loses
    }

    /// Whether these rules make the same turns and results as others, from any start: a neutral stone is an arrow by
    /// another name, and whether the first turn is a move without fire the start says.
    pub(in crate::games) fn play_as(&self, other: &Self) -> bool {
        let usual = |rules: &Self| {
            let leaves = |leaves| if leaves == Leaves::Arrow { Leaves::Neutral } else { leaves };
            let flips = match rules.flips {
                Flips::Run(over) => Flips::Run(leaves(over)),
                flips => flips,
            };
            let fires = if rules.fire_at == FireAt::Reach { rules.fires } else { [Reach::QUEEN; 2] };
            Self { fires, plain: leaves(rules.plain), flips, moves_first: false, ..*rules }
        };
        usual(self) == usual(other)
    }

    /// Whether a turn can always be ended after its move: without fire, or by a fire at the square that the move left,
    /// which is empty and as far away as the piece has come.
    #[inline(always)]
    pub(super) fn every_move_has_a_fire(&self) -> bool {
        let passes = self.passes_pieces || self.passes_stones;
        let back = match self.fire_at {
            FireAt::Reach => self.fires[0].contains(self.moves[0]) && self.fires[1].contains(self.moves[1]) && !passes,
            FireAt::Left | FireAt::Anywhere => true,
            FireAt::Edge => false,
        };
        let is_barred = self.rim_barred || self.is_protected();
        self.may_hold() || back && !is_barred
    }

    /// Whether pieces of both sides move and fire alike.
    ///
    /// ```
    /// use hippolyta_rules::board::Reach;
    /// use hippolyta_rules::games::move_fire::Rules;
    /// assert!(!Rules { moves: [Reach::QUEEN, Reach::KNIGHT], ..Rules::AMAZONS }.has_equal_sides());
    /// ```
    #[must_use]
    pub fn has_equal_sides(&self) -> bool {
        self.moves[0] == self.moves[1] && self.fires[0] == self.fires[1]
    }

    /// Whether there are squares that no fire, or none of one side, may land on.
    ///
    /// ```
    /// use hippolyta_rules::games::move_fire::Rules;
    /// assert!(!Rules::AMAZONS.is_protected());
    /// ```
    #[inline(always)]
    #[must_use]
    pub fn is_protected(&self) -> bool {
        self.protected != [Bitboard::EMPTY; 2]
    }

    /// Squares that no fire of this side may land on.
    #[inline(always)]
    #[must_use]
    pub fn protected_from(&self, side: Side) -> Bitboard {
        // No index, which the compiler would not see through where nothing is protected.
        let [white, black] = self.protected;
        if side == Side::White { white } else { black }
    }

    /// Whether a symmetry of a board of this size leaves the rules as they are: a turn is legal in a position if its
    /// image is legal in the image of the position.
    pub(in crate::games) fn keep(&self, symmetry: Symmetry, size: (usize, usize)) -> bool {
        let stays = |set: Bitboard| {
            let image = set.into_iter().map(|square| symmetry.square(square, size));
            image.collect::<Option<Bitboard>>() == Some(set)
        };
        let [white, black] = self.protected;
        (white | black).is_empty() || symmetry.size(size) == size && stays(white) && stays(black)
    }
}
