//! Short names for long bytes: two runs with the same fingerprint are taken for the same.

/// FNV-1a with 64 bits, in hexadecimal.
pub(super) fn fingerprint(bytes: &[u8]) -> String {
    let hash = bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325u64, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3));
    format!("{hash:016x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fingerprints_are_those_of_the_published_function() {
        // From the test suite of Fowler, Noll and Vo.
        for (text, hash) in [("", "cbf29ce484222325"), ("a", "af63dc4c8601ec8c"), ("foobar", "85944171f73967e8")] {
            assert_eq!(fingerprint(text.as_bytes()), hash);
        }
    }
}
