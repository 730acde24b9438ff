//! Files of games, as they are or packed by gzip.

use either::Either;
use flate2::bufread::MultiGzDecoder;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

/// How a file begins that gzip wrote: RFC 1952, section 2.3.1.
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// The text of a file, which is unpacked as it is read where it is packed.
pub type Unpacked<R> = Either<BufReader<MultiGzDecoder<R>>, R>;

/// The text of `input`, which gzip may have packed.
///
/// # Errors
///
/// If the input cannot be read.
pub fn unpacked<R: BufRead>(mut input: R) -> io::Result<Unpacked<R>> {
    let packed = input.fill_buf()?.starts_with(&GZIP);
    Ok(if packed { Either::Left(BufReader::new(MultiGzDecoder::new(input))) } else { Either::Right(input) })
}

/// Opens a file, which gzip may have packed.
///
/// # Errors
///
/// If the file cannot be read.
pub fn open(path: &Path) -> io::Result<Unpacked<BufReader<File>>> {
    unpacked(BufReader::new(File::open(path)?))
}
