//! Writes the JavaScript around the engine as WebAssembly: `xtask-wasm BUILT.wasm FOLDER`.
//!
//! A program of its own, as its dependencies are half of all that `cargo xtask` would have to compile.

use anyhow::{Result, bail};
use wasm_bindgen_cli_support::Bindgen;

fn main() -> Result<()> {
    let arguments: Vec<_> = std::env::args_os().skip(1).collect();
    let [built, out] = &arguments[..] else { bail!("usage: xtask-wasm BUILT.wasm FOLDER") };
    Bindgen::new()
        .input_path(built)
        .web(true)?
        .typescript(false)
        .remove_name_section(true)
        .remove_producers_section(true)
        .generate(out)
}
