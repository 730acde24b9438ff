//! Answers, as JSON. The types here make the schema of answers: doc comments are the descriptions there.

#[cfg(test)]
use super::field_schemas::{AnyId, EndingName, Fen, Id, KindName, PerMille, Probability, SideName, WinnerName};
use super::query::Fault;
use crate::go::Dialect;
use crate::info::Points;
use crate::records::Line;
use crate::review::{Kind, Lesson, Summary, Verdict, kept};
use hippolyta::board::Square;
use hippolyta::engine::{self, Board, Decided, Owned, Patience, STRENGTHS, Score, Strength, rounded};
use hippolyta::games::general::{RuleSet, Rules};
use hippolyta::games::variant::{Traits, Variant};
use hippolyta::games::{Effects, Piece, Side, Turn};
use serde::Serialize;
use serde_json::Value;

/// One line of output.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(untagged)]
pub(super) enum Answer<'a> {
    Analysis(Analysis<'a>),
    NoResults(NoResults<'a>),
    Refusal(Refusal<'a>),
    Warning(Warning<'a>),
    Terminated(Terminated<'a>),
    AllTerminated(AllTerminated<'a>),
    LegalMoves(LegalMoves<'a>),
    Counted(Counted<'a>),
    Variants(Variants<'a>),
    Version(Version<'a>),
    Reviewed(Reviewed<'a>),
    GamesRead(GamesRead<'a>),
    GameWritten(GameWritten<'a>),
    Filled(Filled<'a>),
}

/// The state of a search, or its end. Scores are from the view of the side to move.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub(super) struct Analysis<'a> {
    #[cfg_attr(test, schemars(with = "Id"))]
    id: &'a str,
    /// Which position: the number of moves before it.
    turn_number: u32,
    /// Whether the search goes on.
    is_during_search: bool,
    #[serde(flatten)]
    findings: Findings<'a>,
}

/// The findings of a search.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
struct Findings<'a> {
    root_info: RootInfo<'a>,
    /// The result that is certain, if it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    decided: Option<Certain>,
    /// The best moves, best first; none if the game is over.
    #[cfg_attr(test, schemars(length(max = 500)))]
    move_infos: Vec<MoveInfo<'a>>,
    #[serde(flatten)]
    owned: &'a Owned,
}

/// The position.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
struct RootInfo<'a> {
    #[cfg_attr(test, schemars(with = "SideName"))]
    current_player: Side,
    #[cfg_attr(test, schemars(with = "Fen"))]
    fen: &'a str,
    #[serde(flatten)]
    worth: Worth,
    /// The standard deviation of the difference to what ten times as many positions will show as `winrate`; left out
    /// after short searches and once the result is proven.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(range(max = 1)))]
    spread: Option<f64>,
    /// Simulations from the position.
    visits: u64,
    /// Positions evaluated.
    nodes: u64,
    /// Turns in the first line.
    depth: u32,
    /// Turns of the longest path searched.
    sel_depth: u32,
    /// Milliseconds.
    time_ms: u64,
    /// Share of the tree's memory in use, in thousandths.
    #[cfg_attr(test, schemars(range(max = 1000)))]
    hash_full: u32,
    /// Simulations that ended in exact knowledge.
    exact_hits: u64,
}

/// A move.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
struct MoveInfo<'a> {
    /// Its place, from 0.
    order: usize,
    #[serde(rename = "move")]
    #[cfg_attr(test, schemars(with = "String"))]
    turn: &'a Turn,
    /// Simulations that went through it.
    visits: u64,
    /// Its probability before the search; left out if nothing had to be searched.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "Option<Probability>"))]
    prior: Option<f64>,
    #[serde(flatten)]
    worth: Worth,
    /// There is too little search behind it to trust `winrate`: its standard error is above 5 points.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    uncertain: bool,
    /// The moves expected, this one first.
    #[cfg_attr(test, schemars(with = "Vec<String>", length(min = 1)))]
    pv: &'a [Turn],
    /// The squares of each of `pv`, if they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    turns: Option<Vec<TurnInfo>>,
}

/// A score in all its forms.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
struct Worth {
    /// Expected score; a draw counts one half.
    #[cfg_attr(test, schemars(with = "Probability"))]
    winrate: f64,
    /// Win, draw and loss in thousandths.
    #[cfg_attr(test, schemars(with = "[PerMille; 3]"))]
    wdl: [u32; 3],
    score: Points,
    /// `winrate` before it was calibrated: what the search compares.
    #[cfg_attr(test, schemars(with = "Probability"))]
    search_winrate: f64,
    /// The probability of a draw before it was calibrated.
    #[cfg_attr(test, schemars(with = "Probability"))]
    search_draw: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<Proven>,
}

/// A result that is certain.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
struct Proven {
    outcome: ProvenOutcome,
    /// Moves of both sides to the end at most, if the loser does not err.
    #[serde(skip_serializing_if = "Option::is_none")]
    plies: Option<u32>,
}

#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
enum ProvenOutcome {
    Win,
    Draw,
    Loss,
}

impl Worth {
    /// A score as it is shown and as the search has it.
    fn new(score: Score, search: Score) -> Self {
        let proven = |outcome, plies| Some(Proven { outcome, plies });
        let result = match score {
            Score::Estimate { .. } => None,
            Score::Win { plies } => proven(ProvenOutcome::Win, Some(plies)),
            Score::Loss { plies } => proven(ProvenOutcome::Loss, Some(plies)),
            Score::Draw => proven(ProvenOutcome::Draw, None),
        };
        let [winrate, search_winrate] = [score, search].map(|score| rounded(score.expected()));
        let search_draw = match search {
            Score::Estimate { draw, .. } => rounded(draw),
            _ => f64::from(search.per_mille()[1]) / 1_000.0,
        };
        let (wdl, score) = (score.per_mille(), Points::new(score, Dialect::Uci));
        Self { winrate, wdl, score, search_winrate, search_draw, result }
    }
}

impl<'a> Analysis<'a> {
    /// The findings about the position of query `id` after `turn_number` moves. The squares of turns are told if there
    /// is a board, which is at this position, and `decided` is what is known of the result, if that is told.
    pub fn new(
        id: &'a str,
        turn_number: u32,
        found: &'a engine::Analysis,
        board: Option<&Board>,
        decided: Option<Certain>,
    ) -> Self {
        let moves = found.lines.iter().enumerate().filter_map(|(order, line)| {
            Some(MoveInfo {
                order,
                turn: line.turns.first()?,
                visits: line.visits,
                uncertain: line.is_uncertain(),
                prior: line.prior.map(rounded),
                worth: Worth::new(line.score, line.search_score),
                pv: &line.turns,
                turns: board.map(|board| TurnInfo::line(board, &line.turns)),
            })
        });
        let root_info = RootInfo {
            current_player: found.side,
            fen: &found.fen,
            worth: Worth::new(found.score, found.search_score),
            spread: found.spread.map(rounded),
            visits: found.visits,
            nodes: found.nodes,
            depth: found.depth,
            sel_depth: found.selective_depth,
            time_ms: found.time.as_millis() as u64,
            hash_full: found.hash_full,
            exact_hits: found.exact_hits,
        };
        let findings = Findings { root_info, decided, move_infos: moves.collect(), owned: &found.owned };
        Self { id, turn_number, is_during_search: !found.last, findings }
    }
}

/// A position that was not searched, as the query was ended before.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub(super) struct NoResults<'a> {
    #[cfg_attr(test, schemars(with = "Id"))]
    pub id: &'a str,
    /// Which position: the number of moves before it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn_number: Option<u32>,
    /// The action, if it was about no position of its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub action: Option<&'a str>,
    #[cfg_attr(test, schemars(extend("const" = false)))]
    pub is_during_search: bool,
    #[cfg_attr(test, schemars(extend("const" = true)))]
    pub no_results: bool,
}

/// A fault, because of which nothing comes of the query or, with `turnNumber`, of this position.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub(super) struct Refusal<'a> {
    /// As it was given, even if it is not a string.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "Option<AnyId>"))]
    id: Option<GivenId<'a>>,
    /// Which line of the input, from 1, if no id tells.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u64>,
    /// Which position: the number of moves before it.
    #[serde(skip_serializing_if = "Option::is_none")]
    turn_number: Option<u32>,
    /// The field that is to blame, as in `moves[3]`, from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    field: Option<&'a str>,
    error: String,
}

/// The id of a line that may be wrong itself.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(super) enum GivenId<'a> {
    Text(&'a str),
    Any(&'a Value),
}

impl<'a> Refusal<'a> {
    /// Nothing comes of query `id`, or of this position.
    pub fn new(id: &'a str, turn_number: Option<u32>, fault: &'a Fault) -> Self {
        Self { turn_number, ..Self::of_line(Some(GivenId::Text(id)), None, fault) }
    }

    /// A line that is no query. Its number stands in if it has no id.
    pub fn of_line(id: Option<GivenId<'a>>, line: Option<u64>, fault: &'a Fault) -> Self {
        let line = if id.is_none() { line } else { None };
        Self { id, line, turn_number: None, field: fault.field.as_deref(), error: fault.message.clone() }
    }
}

/// A field that means nothing; the query is obeyed all the same.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Warning<'a> {
    #[cfg_attr(test, schemars(with = "Id"))]
    pub id: &'a str,
    pub field: String,
    pub warning: &'a str,
}

/// The answer to `terminate`: the query itself.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub(super) struct Terminated<'a> {
    #[cfg_attr(test, schemars(with = "Id"))]
    pub id: &'a str,
    #[cfg_attr(test, schemars(extend("const" = "terminate")))]
    pub action: &'static str,
    pub terminate_id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn_numbers: Option<&'a [u32]>,
}

/// The answer to `terminate_all`: the query itself.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub(super) struct AllTerminated<'a> {
    #[cfg_attr(test, schemars(with = "Id"))]
    pub id: &'a str,
    #[cfg_attr(test, schemars(extend("const" = "terminate_all")))]
    pub action: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn_numbers: Option<&'a [u32]>,
}

/// The rule sets.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Variants<'a> {
    #[cfg_attr(test, schemars(with = "Id"))]
    id: &'a str,
    #[cfg_attr(test, schemars(extend("const" = "variants")))]
    action: &'static str,
    /// The rule set that a query means which names none comes first.
    variants: Vec<VariantInfo<'a>>,
}

/// A rule set.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
struct VariantInfo<'a> {
    name: &'a str,
    /// Other names that are accepted.
    aliases: &'static [&'static str],
    /// Where its games begin.
    #[cfg_attr(test, schemars(with = "Fen"))]
    start: &'a str,
    /// Files of the start position.
    #[cfg_attr(test, schemars(range(min = 3, max = 11)))]
    files: usize,
    /// Ranks of the start position.
    #[cfg_attr(test, schemars(range(min = 3, max = 11)))]
    ranks: usize,
    // Without a description of its own, so that the type is the same everywhere.
    position: PositionInfo,
    #[serde(flatten)]
    #[cfg_attr(test, schemars(with = "super::field_schemas::Traits"))]
    traits: Traits,
    /// Games of 100 between equals that are drawn; left out where nobody has counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(range(max = 100)))]
    drawn: Option<u8>,
    /// Squares that no fire of White's may land on; left out where there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, schemars(with = "Vec<String>"))]
    protected_from_white: Vec<Square>,
    /// Those that no fire of Black's may land on.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, schemars(with = "Vec<String>"))]
    protected_from_black: Vec<Square>,
    /// Of a rule set of one's own: its name for people,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<&'a str>,
    /// what it is,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<&'a str>,
    /// its rules in English,
    #[serde(skip_serializing_if = "Option::is_none")]
    sentences: Option<Vec<String>>,
    /// and a line of TOML that says all of it, which may stand wherever a name of a rule set may.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<String>,
    /// Names for how strong to play, the weakest first.
    strengths: Vec<StrengthInfo>,
}

/// A name for how strong to play.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
struct StrengthInfo {
    name: &'static str,
    /// A description of its play.
    note: &'static str,
    /// The value of `elo` that plays so; `null` for full strength.
    elo: Option<u32>,
    resigns: Patience,
}

impl<'a> Variants<'a> {
    pub fn new(id: &'a str, variants: &'a [Variant]) -> Self {
        let info = |variant: &'a Variant| {
            let board = Board::new(variant);
            let (files, ranks) = board.size();
            let rules = variant.own().map_or(Rules::AMAZONS, |own| own.rules);
            let [protected_from_white, protected_from_black] = rules.protected.map(|set| set.into_iter().collect());
            let strength = |strength: &Strength| {
                let Strength { name, note, .. } = *strength;
                let elo = strength.elo(variant);
                StrengthInfo { name, note, elo, resigns: Patience::of(variant, elo) }
            };
            VariantInfo {
                name: variant.name(),
                aliases: variant.aliases(),
                start: variant.start(),
                files,
                ranks,
                position: PositionInfo::new(&board),
                traits: variant.traits(),
                drawn: variant.drawn(),
                protected_from_white,
                protected_from_black,
                title: variant.own().map(|own| own.title.as_str()),
                description: variant.own().map(|own| own.description.as_str()),
                sentences: variant.own().map(RuleSet::sentences),
                line: variant.own().map(RuleSet::line),
                strengths: STRENGTHS.iter().map(strength).collect(),
            }
        };
        Self { id, action: "variants", variants: variants.iter().map(info).collect() }
    }
}

/// Who answers.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Version<'a> {
    #[cfg_attr(test, schemars(with = "Id"))]
    pub id: &'a str,
    #[cfg_attr(test, schemars(extend("const" = "version")))]
    pub action: &'static str,
    pub name: &'static str,
    pub version: &'static str,
}

/// Moves of a game, judged.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Reviewed<'a> {
    #[cfg_attr(test, schemars(with = "Id"))]
    id: &'a str,
    #[cfg_attr(test, schemars(extend("const" = "review")))]
    action: &'static str,
    /// Those with a known position before and after them.
    moves: Vec<Verdict>,
    /// How White played.
    white: SideReviewed,
    /// How Black played.
    black: SideReviewed,
    /// What there is to learn from both sides' mistakes, the dearest first.
    lessons: Vec<Lesson>,
    /// The kinds of moves that lost much, the least first.
    kinds: [KindInfo; 3],
}

/// How a side played.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
struct SideReviewed {
    /// Moves that were judged.
    moves: usize,
    /// How many of them were the best ones.
    best: usize,
    /// The share of them that were no mistake of any kind; `null` if there are none.
    #[cfg_attr(test, schemars(with = "Option<Probability>"))]
    accuracy: Option<f64>,
    /// Their mean loss; `null` if there are none.
    #[cfg_attr(test, schemars(with = "Option<Probability>"))]
    average_loss: Option<f64>,
    /// How many were of each of `kinds`.
    kinds: [usize; 3],
}

/// A kind of move that lost much.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct KindInfo {
    #[cfg_attr(test, schemars(with = "KindName"))]
    name: &'static str,
    plural: &'static str,
    /// As it is written behind a move.
    sign: &'static str,
    /// From which loss on, by whole per cents.
    #[cfg_attr(test, schemars(with = "Probability"))]
    loss: f64,
}

impl<'a> Reviewed<'a> {
    pub fn new(id: &'a str, moves: Vec<Verdict>) -> Self {
        let side = |side| {
            let summary = Summary::of(&moves, side);
            SideReviewed {
                moves: summary.turns,
                best: summary.best,
                accuracy: summary.accuracy().map(kept),
                average_loss: summary.average_loss().map(kept),
                kinds: summary.kinds,
            }
        };
        let kind = |kind: Kind| KindInfo {
            name: kind.name(),
            plural: kind.plural(),
            sign: kind.sign(),
            loss: f64::from(kind.threshold()) / 100.0,
        };
        Self {
            id,
            action: "review",
            white: side(Side::White),
            black: side(Side::Black),
            lessons: Lesson::of(&moves),
            moves,
            kinds: Kind::ALL.map(kind),
        }
    }
}

/// Games of a text.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct GamesRead<'a> {
    #[cfg_attr(test, schemars(with = "Id"))]
    pub id: &'a str,
    #[cfg_attr(test, schemars(extend("const" = "read_games")))]
    pub action: &'static str,
    /// `pgn`, `sgf`, `jsonl` or `fen`; left out if the text is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format: Option<&'static str>,
    /// All games of the text, also those that cannot be read.
    pub total: u64,
    /// Those that were asked for and can be read.
    pub games: Vec<GameRead<'a>>,
    /// The parts that were not understood in the games that were asked for.
    pub warnings: Vec<GameWarning>,
    /// The game to go on with; left out after the last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<u64>,
}

/// A game of a text.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct GameRead<'a> {
    /// Which one, from 0.
    pub number: u64,
    /// The line in which it begins, from 1.
    pub line: u64,
    pub record: Line<'a>,
}

/// A part that was not understood.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct GameWarning {
    /// In which game, from 0; left out if in none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub game: Option<u64>,
    /// The line, from 1.
    pub line: u64,
    /// The character in it, from 1.
    pub column: u64,
    pub message: String,
}

/// A game as text.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct GameWritten<'a> {
    #[cfg_attr(test, schemars(with = "Id"))]
    pub id: &'a str,
    #[cfg_attr(test, schemars(extend("const" = "write_game")))]
    pub action: &'static str,
    pub format: &'static str,
    pub text: String,
}

/// A position and its legal moves.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub(super) struct LegalMoves<'a> {
    #[cfg_attr(test, schemars(with = "Id"))]
    pub id: &'a str,
    #[cfg_attr(test, schemars(extend("const" = "legal_moves")))]
    pub action: &'static str,
    #[cfg_attr(test, schemars(with = "super::fields::RuleSet"))]
    pub variant: &'a str,
    #[cfg_attr(test, schemars(with = "Fen"))]
    pub fen: String,
    #[cfg_attr(test, schemars(with = "SideName"))]
    pub current_player: &'static str,
    /// Who has won, or `draw`; `null` while the game goes on.
    #[cfg_attr(test, schemars(with = "Option<WinnerName>"))]
    pub outcome: Option<&'static str>,
    /// Why the game is over: the side to move has no turn, no piece, or no damone where it needs one; 80 quiet plies in
    /// a row; the same position for the third time. Left out while it goes on.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "EndingName"))]
    pub ending: Option<&'static str>,
    /// The result that is certain, if it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decided: Option<Certain>,
    /// The effects of the last move; left out if none was played.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub effects: Option<EffectsInfo>,
    /// The pieces on their squares, if they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position: Option<PositionInfo>,
    #[cfg_attr(test, schemars(with = "Vec<String>"))]
    pub moves: Vec<Turn>,
    /// The squares of each of `moves`, if they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turns: Option<Vec<TurnInfo>>,
}

/// The result, or `null` if it is not certain.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
pub(super) struct Certain(Option<Decided>);

impl Certain {
    pub fn of(board: &Board) -> Self {
        Self(engine::decided(board))
    }
}

/// The rest of a game that is decided.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Filled<'a> {
    #[cfg_attr(test, schemars(with = "Id"))]
    pub id: &'a str,
    #[cfg_attr(test, schemars(extend("const" = "fill")))]
    pub action: &'static str,
    pub decided: Certain,
    /// The moves that keep it, to the end of the game; none if it is not certain.
    #[cfg_attr(test, schemars(with = "Vec<String>"))]
    pub moves: Vec<Turn>,
    /// The squares of each of `moves`.
    pub turns: Vec<TurnInfo>,
}

/// The fields of a FEN, read.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub(super) struct PositionInfo {
    files: usize,
    ranks: usize,
    /// A character for each square, ranks from the top, each from the left: the letter of a FEN, or `.` if it is empty.
    pieces: String,
    #[cfg_attr(test, schemars(with = "SideName"))]
    side: Side,
    /// The turn of this side is a move without fire, in a game that fires otherwise.
    move_only: bool,
    /// Plies in a row that count as quiet.
    quiet: u32,
    /// The number of the turn.
    number: u32,
}

impl PositionInfo {
    pub fn new(board: &Board) -> Self {
        let pieces = board.pieces();
        Self {
            files: pieces.files(),
            ranks: pieces.ranks(),
            pieces: pieces.squares().map(|(_, piece)| piece.map_or('.', Piece::letter)).collect(),
            side: board.side_to_move(),
            move_only: board.move_only(),
            quiet: board.quiet(),
            number: board.number(),
        }
    }
}

/// A move as squares.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct TurnInfo {
    /// The squares on which its piece stands, first to last: two or more.
    #[cfg_attr(test, schemars(with = "Vec<String>", length(min = 2)))]
    path: Vec<Square>,
    /// The square that it fires at; left out if it does not fire.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "Option<String>"))]
    fire: Option<Square>,
    /// The squares of the pieces that it takes off the board, one for each jump; left out if it jumps over none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, schemars(with = "Vec<String>"))]
    captured: Vec<Square>,
    /// Where a move is a fire alone, the squares of other pieces that may fire instead: it is the same move. Left out
    /// if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, schemars(with = "Vec<String>"))]
    others: Vec<Square>,
}

impl TurnInfo {
    /// A legal turn.
    fn new(board: &Board, turn: &Turn) -> Self {
        // Where turns fire they capture nothing, and there may be thousands of them.
        let captures = !board.variant().traits().fires;
        let effects = captures.then(|| board.effects(turn).ok()).flatten();
        let captured = effects.map(|effects| effects.captured).unwrap_or_default();
        let stays = turn.fire().is_some() && turn.from() == turn.to();
        let ways = if stays { board.ways(turn) } else { Vec::new() };
        let others = ways.iter().map(Turn::from).filter(|&from| from != turn.from()).collect();
        Self { path: turn.path().to_vec(), fire: turn.fire(), captured, others }
    }

    /// Turns of one position.
    pub fn all(board: &Board, turns: &[Turn]) -> Vec<Self> {
        turns.iter().map(|turn| Self::new(board, turn)).collect()
    }

    /// Turns that follow one another.
    pub fn line(board: &Board, turns: &[Turn]) -> Vec<Self> {
        let mut board = board.clone();
        let mut told = |turn| {
            let info = Self::new(&board, turn);
            board.play_turn(turn).ok().map(|()| info)
        };
        turns.iter().map_while(&mut told).collect()
    }
}

/// The effects of a move.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct EffectsInfo {
    /// The squares on which its piece stood, first to last: two or more.
    #[cfg_attr(test, schemars(with = "Vec<String>", length(min = 2)))]
    path: Vec<Square>,
    /// The square that it fired at; left out if it did not fire.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "Option<String>"))]
    fire: Option<Square>,
    /// The squares of the pieces that it took off the board, one for each jump.
    #[cfg_attr(test, schemars(with = "Vec<String>"))]
    captured: Vec<Square>,
    /// The squares of the stones that changed sides.
    #[cfg_attr(test, schemars(with = "Vec<String>"))]
    flipped: Vec<Square>,
    /// The name of the piece that its piece became, if another.
    #[serde(skip_serializing_if = "Option::is_none")]
    promoted: Option<&'static str>,
}

impl EffectsInfo {
    /// Of the last turn of a board, if there is one.
    pub fn of_last(board: &Board) -> Option<Self> {
        let turn = board.last_turn()?;
        let Effects { captured, flipped, promoted } = board.last_effects()?;
        let promoted = promoted.map(Piece::name);
        Some(Self { path: turn.path().to_vec(), fire: turn.fire(), captured, flipped, promoted })
    }
}

/// Numbers of positions.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Counted<'a> {
    #[cfg_attr(test, schemars(with = "Id"))]
    pub id: &'a str,
    #[cfg_attr(test, schemars(extend("const" = "perft")))]
    pub action: &'static str,
    pub depth: u32,
    pub nodes: u64,
    /// The moves, each with its count.
    #[cfg_attr(test, schemars(with = "Vec<(String, u64)>"))]
    pub divide: Vec<(Turn, u64)>,
}
