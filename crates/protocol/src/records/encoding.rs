//! Texts in the encodings of their countries.
//!
//! Built with the feature `embedded`, the program has their tables. Without the feature whoever uses the library decodes:
//! browsers know encodings.

use std::sync::OnceLock;

/// A text that was in an encoding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decoded {
    /// The encoding's own name, in small letters.
    pub encoding: String,
    /// The text.
    pub text: String,
}

/// Decodes a text, with U+FFFD where bytes mean nothing and without regard to byte order marks; `None` if nobody knows
/// the label. Labels are those of the [Encoding Standard](https://encoding.spec.whatwg.org).
pub type Decoder = fn(label: &str, bytes: &[u8]) -> Option<Decoded>;

static DECODER: OnceLock<Decoder> = OnceLock::new();

/// Sets the decoder. Only the first call counts. With the feature `embedded` it is never asked.
pub fn set_decoder(decoder: Decoder) {
    let _ = DECODER.set(decoder);
}

/// As a [`Decoder`].
pub(super) fn decode(label: &str, bytes: &[u8]) -> Option<Decoded> {
    #[cfg(feature = "embedded")]
    {
        let encoding = encoding_rs::Encoding::for_label_no_replacement(label.as_bytes())?;
        let (text, _) = encoding.decode_without_bom_handling(bytes);
        Some(Decoded { encoding: encoding.name().to_ascii_lowercase(), text: text.into_owned() })
    }
    #[cfg(not(feature = "embedded"))]
    DECODER.get().expect("without the feature `embedded`, set_decoder comes before all else")(label, bytes)
}
