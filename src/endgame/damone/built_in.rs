//! The tables that need no file: they are a part of the program, as files of tables in the format of zlib. To solve
//! their positions takes half a second, and a first search of 10 ms cannot wait for that.

use super::Tables;
use crate::forks::Lazy;
use crate::games::damone::Rules;
use crate::host::{Part, part};
use std::sync::Arc;

/// The most pieces of the tables that need no file.
pub const BUILT_IN_PIECES: usize = 3;

const FILES: [Part; 2] = [part!("endgames", "damone.bin"), part!("endgames", "damone-imperatore.bin")];

/// The tables for `rules` that need no file. The first call unpacks them, which takes milliseconds.
#[must_use]
pub fn built_in(rules: &'static Rules) -> &'static Arc<Tables> {
    type Unpacked = Lazy<Arc<Tables>>;
    static TABLES: [Unpacked; 2] = [Lazy::new(|| unpack(&FILES[0])), Lazy::new(|| unpack(&FILES[1]))];
    &TABLES[usize::from(rules.needs_damone)]
}

fn unpack(file: &Part) -> Arc<Tables> {
    file.decoded(|packed| {
        let bytes = miniz_oxide::inflate::decompress_to_vec_zlib(packed).map_err(|error| error.to_string())?;
        Tables::read(&bytes[..]).map(Arc::new).map_err(|error| error.to_string())
    })
}

#[cfg(test)]
mod tests {
    use super::super::solve;
    use super::*;

    /// With `HIPPOLYTA_BLESS=1` the files are written anew.
    #[test]
    fn the_built_in_tables_are_those_that_are_solved() {
        for (rules, name) in [(&Rules::DAMONE, "damone"), (&Rules::IMPERATORE, "damone-imperatore")] {
            let solved = solve(rules, BUILT_IN_PIECES, &|_| ()).unwrap();
            if std::env::var_os("HIPPOLYTA_BLESS").is_some() {
                let packed = miniz_oxide::deflate::compress_to_vec_zlib(&solved.write(Vec::new()).unwrap(), 10);
                let path = format!("{}/src/endgame/damone/{name}.bin", env!("CARGO_MANIFEST_DIR"));
                std::fs::write(path, packed).unwrap();
                continue;
            }
            let built_in = built_in(rules);
            let found = (built_in.rules, built_in.pieces(), built_in.longest_run, &built_in.values);
            assert!(found == (rules, BUILT_IN_PIECES, solved.longest_run, &solved.values), "{name}");
        }
    }
}
