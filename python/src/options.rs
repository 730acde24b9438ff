//! Options of a command as arguments of a function. Their names, bounds and defaults are those of the command line,
//! where they are declared.

use crate::errors::{find, in_python};
use crate::numbers::{shown, value_error, whole};
use clap::{Arg, Args, Command};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::any::TypeId;
use std::error::Error;
use std::ffi::OsString;
use std::path::PathBuf;

/// The options with these values, by name. `None` is as if nothing was said. `TypeError` for a value of another kind,
/// `ValueError` for one that the command line refuses.
pub fn read<T: Args>(given: &Bound<'_, PyDict>) -> PyResult<T> {
    let mut command = T::augment_args(Command::new("options").no_binary_name(true).disable_help_flag(true));
    command.build();
    let (mut words, mut files) = (Vec::new(), vec![OsString::from("--")]);
    for (name, value) in given.iter().filter(|(_, value)| !value.is_none()) {
        let name: String = name.extract()?;
        let is_it =
            |arg: &&Arg| arg.get_id() == name.as_str() || arg.get_all_aliases().unwrap_or_default().contains(&&*name);
        let option = command.get_arguments().find(is_it);
        let option = option.ok_or_else(|| value_error(format!("there is no option {name}")))?;
        let long = format!("--{}", option.get_long().unwrap_or_default());
        let takes = option.get_num_args().unwrap_or_default();
        if option.is_positional() {
            files.extend(value.extract::<Vec<PathBuf>>()?.into_iter().map(OsString::from));
        } else if !takes.takes_values() {
            if value.extract()? {
                words.push(long.into());
            }
        } else if takes.max_values() == 1 {
            let mut word = OsString::from(format!("{long}="));
            word.push(text(&name, &value, option)?);
            words.push(word);
        } else {
            // An option that is repeated has a list for each time.
            let is_repeated = option.get_id() == "engine";
            let lists = if is_repeated { value.extract::<Vec<Vec<String>>>()? } else { vec![value.extract()?] };
            for list in lists.into_iter().filter(|list| is_repeated || !list.is_empty()) {
                words.push(long.clone().into());
                words.extend(list.into_iter().map(OsString::from));
            }
        }
    }
    words.extend(files);
    let found = command.try_get_matches_from(words).and_then(|matches| T::from_arg_matches(&matches));
    found.map_err(|error| {
        let text = error.to_string();
        // What is missing is told in lines of their own.
        let lines: Vec<_> = text.lines().map(str::trim).take_while(|line| !line.is_empty()).collect();
        value_error(in_python(lines.join(" ").trim_start_matches("error: ")))
    })
}

/// A value as the command line takes it.
fn text(name: &str, value: &Bound<'_, PyAny>, option: &Arg) -> PyResult<OsString> {
    let parser = option.get_value_parser();
    let is = |types: &[TypeId]| types.iter().any(|number| parser.type_id() == *number);
    let text = if is(&[TypeId::of::<u16>(), TypeId::of::<u32>(), TypeId::of::<u64>(), TypeId::of::<usize>()]) {
        whole::<u64>(name, value, range(option))?.to_string()
    } else if is(&[TypeId::of::<f32>(), TypeId::of::<f64>()]) {
        let number = value.extract::<f64>();
        number
            .map_err(|_| PyTypeError::new_err(format!("{name}: a number is expected, not {}", shown(value))))?
            .to_string()
    } else if is(&[TypeId::of::<bool>()]) {
        value.extract::<bool>()?.to_string()
    } else {
        let path = value.extract::<PathBuf>();
        let path =
            path.map_err(|_| PyTypeError::new_err(format!("{name}: a text is expected, not {}", shown(value))))?;
        // Those that shells complete are the built-in ones.
        let is_rule_set = name == "variant";
        if is_rule_set {
            find(value.extract()?)?;
        }
        // What is wrong with it is told with all options.
        if is_rule_set || option.get_possible_values().is_empty() {
            return Ok(path.into());
        }
        path.to_string_lossy().into_owned()
    };
    check(option, &text).map_err(|wrong| value_error(format!("{name}: {wrong}")))?;
    Ok(text.into())
}

/// The fault of a value, if it has any.
fn check(option: &Arg, value: &str) -> Result<(), String> {
    let names: Vec<_> = option.get_possible_values().iter().map(|value| value.get_name().to_owned()).collect();
    if let ([most @ .., last], false) = (&names[..], names.iter().any(|name| name == value)) {
        return Err(format!("{} or {last} is expected, not '{value}'", most.join(", ")));
    }
    told(option, value).map_or(Ok(()), |text| Err(format!("{text}, not {value}")))
}

/// What the parser of an option says against a value, if anything.
fn told(option: &Arg, value: &str) -> Option<String> {
    let option = Arg::new("value").allow_hyphen_values(true).value_parser(option.get_value_parser().clone());
    let command = Command::new("value").no_binary_name(true).arg(option);
    let error = command.try_get_matches_from(["--", value]).err()?;
    Some(error.source().map_or_else(|| error.to_string(), ToString::to_string))
}

/// The least and the greatest number that an option takes. Its parser tells them of a number that is beyond them, if it
/// can read that: some read numbers with signs.
fn range(option: &Arg) -> [u64; 2] {
    let bounds = |beyond: u64| {
        let text = told(option, &beyond.to_string())?;
        let (least, most) = text.split_once(" is not in ")?.1.split_once("..")?;
        Some([least.parse().ok()?, most.trim_start_matches('=').parse().ok()?])
    };
    [0, i64::MAX.unsigned_abs(), u64::MAX].into_iter().find_map(bounds).unwrap_or([0, u64::MAX])
}
