//! Times on the command line: a number in the option's unit, or a number with a unit of its own.

use std::time::Duration;

/// The value of an option that counts milliseconds.
///
/// # Errors
///
/// If it is no time.
pub fn milliseconds(text: &str) -> Result<u64, String> {
    let found = read(text, 1e-3).filter(|seconds| (0.0..=1e9).contains(seconds));
    found.map(|seconds| (seconds * 1e3).round() as u64).ok_or_else(|| {
        "milliseconds are expected, such as 1000, or a time with its unit, such as 1s or 500ms".to_owned()
    })
}

/// The value of an option that counts seconds, from `least` to `most`.
///
/// # Errors
///
/// If it is no time, or out of bounds.
pub fn seconds(text: &str, least: f64, most: f64) -> Result<Duration, String> {
    let found = read(text, 1.0).filter(|seconds| (least..=most).contains(seconds));
    found.map(Duration::from_secs_f64).ok_or_else(|| {
        format!("seconds from {least} to {most} are expected, such as 5, or a time with its unit, such as 5s or 2min")
    })
}

/// Seconds; `unit` is that of a number alone.
fn read(text: &str, unit: f64) -> Option<f64> {
    let text = text.trim();
    let end = text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len());
    let (number, said) = text.split_at(end);
    let unit = match said {
        "" => unit,
        "ms" => 1e-3,
        "s" | "sec" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return None,
    };
    Some(number.trim_end().parse::<f64>().ok()? * unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_has_the_options_unit_or_its_own() {
        for (text, found) in [
            ("1000", 1000),
            ("1s", 1000),
            ("500ms", 500),
            ("0.5s", 500),
            ("2 min", 120_000),
            ("1h", 3_600_000),
            ("0", 0),
        ] {
            assert_eq!(milliseconds(text), Ok(found), "{text}");
        }
        for text in ["", "s", "1x", "-1", "1e400", "nan", "1:30", "ms", "1 s s", "inf"] {
            let error = milliseconds(text).unwrap_err();
            assert!(error.starts_with("milliseconds are expected, such as 1000"), "{text}");
            assert!(seconds(text, 0.01, 100.0).unwrap_err().starts_with("seconds from 0.01 to 100 are expected"));
        }
        assert_eq!(seconds("1.5", 0.01, 100.0), Ok(Duration::from_millis(1500)));
        assert_eq!(seconds("250ms", 0.01, 100.0), Ok(Duration::from_millis(250)));
        assert!(seconds("2min", 0.01, 100.0).is_err());
    }
}
