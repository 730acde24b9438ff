//! Pictures of boards, and what pages for people need around them. Everything is text: SVG and HTML that needs nothing
//! from elsewhere. The page of `hippolyta serve` is built with the same figures, colours and rules.
//!
//! | module | its one idea |
//! | --- | --- |
//! | `look` | colours and rules, as a style sheet, and as attributes for programs that know none |
//! | `figures` | the drawing of each piece |
//! | `board` | [`Picture`]: a position with its last turn, arrows, ownership |
//! | `graph` | the expected score over a game, and lines over many games |
//! | `plot` | [`Plot`]: charts with axes, lines, dots, intervals and boxes |
//! | `page` | [`Page`]: the frame of an HTML page, and text made safe for it |
//! | `viewer` | [`Viewer`]: games to click through on a page |
//!
//! ```
//! use hippolyta::engine::Board;
//! use hippolyta::games::variant;
//! use hippolyta_protocol::pictures::{Arrow, ArrowKind, Picture};
//!
//! let mut board = Board::new(&variant::find("amazons6")?);
//! let last = board.play("b1b4,b4c4")?;
//! let arrow = Arrow::new(&"e6e5,e5d5".parse()?, ArrowKind::Best);
//! let picture = Picture::new(&board).last_turn(&last).arrow(arrow);
//! let svg = picture.svg();
//! assert!(svg.starts_with("<svg xmlns=") && svg.ends_with("</svg>"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod board;
mod figures;
mod graph;
mod look;
mod page;
mod plot;
mod viewer;

pub use board::{Arrow, ArrowKind, Picture};
pub use graph::{MOST_SERIES, Mark, Series, chart, score_graph};
pub use look::colours;
pub use page::{Page, escaped};
pub use plot::{Axis, Plot};
pub use viewer::{Clip, Viewer};
