//! The Game of the Amazons (Zamkauskas, 1988): one amazon moves like a queen, then fires an arrow like a
//! queen from where it stands. Who has no complete turn has lost.

mod count;
mod position;
mod text;

pub use position::{Amazons, MAX_AMAZONS};
