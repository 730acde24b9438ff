//! The Game of the Amazons (Zamkauskas, 1988): one amazon moves like a queen in chess, then fires an arrow like a queen
//! from where it stands. A side without a complete turn has lost.

mod count;
mod position;
mod text;

pub use position::{Amazons, MAX_AMAZONS};
