//! The page with the curves of a run.

use super::error::LearnError;
use super::results::{GameSummary, LossTable, Verdict};
use super::settings::Settings;
use crate::files::read_file;
use std::path::Path;

/// The most bytes that a page has.
const LARGEST: u64 = 1 << 28;

/// What the page shows of a generation.
pub(super) type Generation = (GameSummary, LossTable, Verdict);

/// The page, with its checksum at the end.
pub(super) fn page(settings: &Settings, generations: &[Generation]) -> Vec<u8> {
    let mut page = format!("<!doctype html>\n<title>{}</title>\n", settings.variant);
    for (games, losses, verdict) in generations {
        page.push_str(&format!("<p>{games}; {losses}; {verdict}\n"));
    }
    seal(page)
}

fn seal(page: String) -> Vec<u8> {
    let sum = crc32fast::hash(page.as_bytes());
    format!("{page}<!-- {sum:08x} -->\n").into_bytes()
}

/// Whether a page is as it was written.
pub(super) fn is_good(path: &Path) -> Result<bool, LearnError> {
    let bytes = read_file(path, LARGEST).map_err(LearnError::at(path))?;
    let (page, end) = bytes.split_at(bytes.len().saturating_sub(SEAL));
    Ok(end == format!("<!-- {:08x} -->\n", crc32fast::hash(page)).as_bytes())
}

/// Bytes of the checksum and what is around it.
const SEAL: usize = 18;
