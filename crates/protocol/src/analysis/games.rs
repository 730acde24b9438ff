//! Games as text, in and out, and verdicts on their moves: whoever speaks these lines reads and writes as `hippolyta
//! convert` does, and judges as `hippolyta review`.

use super::answer::{Answer, GameRead, GameWarning, GameWritten, GamesRead, Reviewed};
use super::fields::{Object, Share};
use super::query::{Ended, Fault, LONGEST_FILE, PositionFields, ReadGamesQuery, ResultFields, WriteGameQuery, go_on};
use super::request::Setup;
use crate::records::{Damage, Format, Line, ReadError, Reader, Record, Writer};
use crate::review::{Entry, Known, judge};
use base64::Engine as _;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use hippolyta::engine::Board;
use hippolyta::games::variant::Variant;
use hippolyta::games::{Side, Turn};
use hippolyta::search::Control;
use hippolyta::words::one_line;
use std::borrow::Cow;
use std::path::Path;

/// Games of an answer if no number is asked for.
const USUAL_COUNT: usize = 100;
/// The size of an answer, in bytes, from which on it gets no further game.
const LONGEST_ANSWER: usize = 4 << 20;

/// About how many bytes a record takes in an answer.
fn size(record: &Record) -> usize {
    let tags: usize = record.tags.iter().map(|(name, value)| name.len() + value.len() + 8).sum();
    tags + record.comment.len() + record.turns.iter().map(|turn| turn.comment.len() + 100).sum::<usize>()
}

/// Reads games and says the answer.
pub(super) fn read(
    id: &str,
    query: &ReadGamesQuery,
    fallback: &Variant,
    control: &Control,
    say: &mut dyn FnMut(&Answer<'_>),
) -> Result<(), Ended> {
    let bytes: Cow<'_, [u8]> = match (&query.text, &query.base64) {
        (Some(text), None) => text.0.as_bytes().into(),
        (None, Some(coded)) => {
            let config = GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent);
            let bytes = GeneralPurpose::new(&STANDARD, config).decode(&coded.0);
            bytes.map_err(|error| Fault::at("base64", format!("not Base64: {error}")))?.into()
        }
        _ => return Err(Fault::at("text", "either text or base64 is expected").into()),
    };
    if bytes.len() > LONGEST_FILE {
        return Err(Fault::at("base64", format!("more than {} MiB", LONGEST_FILE >> 20)).into());
    }
    let from = query.from.map_or(0, |from| from.0);
    let count = query.count.map_or(USUAL_COUNT, |count| count.0);
    let named = query.name.as_ref().and_then(|name| Format::of(Path::new(&name.0)));
    let fault = |error: &dyn std::fmt::Display| Fault::at("text", error);
    let (mut total, mut records, mut warnings, mut next, mut format) = (0, Vec::new(), Vec::new(), None, None);
    let warning = |damage: Damage| {
        let (game, message) = (damage.game.map(|number| number - 1), one_line(&damage.text()));
        GameWarning { game, line: damage.line, column: damage.column, message }
    };
    let reader = match Reader::guessing(&*bytes, named, fallback) {
        Ok(reader) => Some(reader),
        Err(ReadError::Empty) => None,
        Err(error @ (ReadError::Unknown | ReadError::Foreign(_))) => {
            warnings.push(GameWarning { game: None, line: 1, column: 1, message: error.to_string() });
            None
        }
        Err(error) => return Err(fault(&error).into()),
    };
    if let Some(mut reader) = reader {
        format = Some(reader.format().name());
        let (mut bytes, mut warned) = (0, 0);
        loop {
            go_on(control)?;
            let wanted = total >= from && next.is_none();
            if !wanted || total - from >= count as u64 || bytes > LONGEST_ANSWER {
                if !reader.pass().map_err(|error| fault(&error))? {
                    break;
                }
                next = next.or((total >= from).then_some(total));
                total += 1;
                continue;
            }
            let found = reader.next_while(&|| !control.stopped());
            go_on(control)?;
            warnings.extend(reader.warnings().into_iter().map(warning));
            bytes += warnings.iter().skip(warned).map(|warning| warning.message.len() + 100).sum::<usize>();
            warned = warnings.len();
            match found {
                None => break,
                Some(Ok(record)) => {
                    bytes += size(&record);
                    records.push((total, reader.line(), record));
                }
                Some(Err(ReadError::Damaged(damage))) => warnings.push(warning(damage)),
                Some(Err(error)) => return Err(fault(&error).into()),
            }
            total += 1;
        }
    }
    let games = records.iter().map(|(number, line, record)| GameRead {
        number: *number,
        line: *line,
        record: Line::new(record, None),
    });
    say(&Answer::GamesRead(GamesRead {
        id,
        action: "read_games",
        format,
        total,
        games: games.collect(),
        warnings,
        next,
    }));
    Ok(())
}

/// Writes a game. Calls `warn` with what of it is left out.
pub(super) fn write<'a>(
    id: &'a str,
    query: WriteGameQuery,
    control: &Control,
    warn: &mut dyn FnMut(&str),
) -> Result<GameWritten<'a>, Ended> {
    let format: Format = query.format.0.parse().map_err(|error| Fault::at("format", error))?;
    let wrong = |error: &dyn std::fmt::Display| Fault::at("record", error);
    let line = serde_json::to_string(&query.record).map_err(|error| wrong(&error))?;
    let record = Record::from_json_while(&line, &|| !control.stopped(), warn);
    go_on(control)?;
    let record = record.map_err(|error| wrong(&error))?;
    let mut text = Vec::new();
    Writer::new(format).write(&record, &mut text).map_err(|error| wrong(&error))?;
    let text = String::from_utf8(text).map_err(|error| wrong(&error))?;
    Ok(GameWritten { id, action: "write_game", format: format.name(), text })
}

/// The findings of an analysis about the position on `board`. Of a line that the rules forbid, the part before that
/// counts.
fn known(
    board: &Board,
    winrate: Share,
    line: &[String],
    result: Option<ResultFields>,
    control: &Control,
) -> Result<Known, Ended> {
    let side = board.side_to_move();
    let white = if side == Side::White { winrate.0 } else { 1.0 - winrate.0 };
    let mut after = board.clone();
    let line = line.iter().map_while(|turn| go_on(control).map(|()| after.play(turn).ok()).transpose());
    Ok(Known { white, proven: result.map(|result| result.of(side)), line: line.collect::<Result<_, _>>()? })
}

fn entry(board: &Board, fields: &PositionFields, field: &str, control: &Control) -> Result<Entry, Ended> {
    let PositionFields { winrate, best, line, result, after_best } = fields;
    let (line, name) = match best {
        Some(best) if line.0.is_empty() => (std::slice::from_ref(best), format!("{field}.best")),
        _ => (&line.0[..], format!("{field}.line[0]")),
    };
    let best = line.first().map(|best| board.read(best)).transpose().map_err(|error| Fault::at(name, error))?;
    let after_best = match (after_best, best) {
        (Some(Object(after)), Some(best)) => {
            let mut board = board.clone();
            board.play_turn(&best).map_err(|error| Fault::at(format!("{field}.best"), error))?;
            Some(known(&board, after.winrate, &after.line.0, after.result.map(|result| result.0), control)?)
        }
        (Some(_), None) => return Err(Fault::at(format!("{field}.afterBest"), "no best move is named").into()),
        (None, _) => None,
    };
    Ok(Entry { here: known(board, *winrate, line, result.map(|result| result.0), control)?, after_best })
}

/// Judges the moves of a game by what is known of its positions.
pub(super) fn review<'a>(
    id: &'a str,
    setup: &Setup,
    known: &[Option<PositionFields>],
    control: &Control,
) -> Result<Reviewed<'a>, Ended> {
    let start = setup.board(0)?;
    let mut board = start.clone();
    let (mut turns, mut entries) = (Vec::<Turn>::new(), Vec::new());
    for (index, known) in known.iter().enumerate() {
        go_on(control)?;
        let read = |fields| entry(&board, fields, &format!("positions[{index}]"), control);
        entries.push(known.as_ref().map(read).transpose()?);
        turns.extend(setup.play(&mut board, index)?);
    }
    let turns: Vec<_> = turns.iter().map(|turn| (turn, false)).collect();
    let verdicts = judge(&start, &turns, &entries, || !control.stopped());
    go_on(control)?;
    Ok(Reviewed::new(id, verdicts))
}
