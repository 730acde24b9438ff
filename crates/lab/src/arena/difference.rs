//! Differences between two descriptions of a match, as options of the command line.

use super::spec::EngineSpec;
use crate::differences::{change, difference};
use serde_json::Value;
use std::collections::BTreeSet;

/// The differences from `old` to `new`, each as `--games 24 → 12`.
pub(super) fn differences(old: &Value, new: &Value) -> Vec<String> {
    let fields = new.as_object().into_iter().flat_map(|fields| fields.keys());
    fields
        .filter(|&field| old[field] != new[field])
        .flat_map(|field| of_field(field, &old[field], &new[field]))
        .collect()
}

fn of_field(field: &str, old: &Value, new: &Value) -> Vec<String> {
    match field {
        "engines" => {
            let read = |value: &Value| serde_json::from_value::<Vec<EngineSpec>>(value.clone()).unwrap_or_default();
            of_engines(&read(old), &read(new))
        }
        "openings" => {
            let words = [("plies", "--book-plies"), ("seed", "--seed"), ("words", "--openings")];
            let changed = words.into_iter().filter(|&(part, _)| old[part] != new[part]);
            let changed: Vec<_> = changed.map(|(part, option)| change(option, &old[part], &new[part])).collect();
            if changed.is_empty() { vec!["the file of --openings has changed".to_owned()] } else { changed }
        }
        // What was begun before these were compared has none.
        "files" => {
            let files = new.as_object().into_iter().flatten();
            let changed = files.filter(|&(word, sum)| old.get(word).is_some_and(|known| known != sum));
            changed.map(|(word, _)| format!("{word} has other contents now")).collect()
        }
        _ => vec![difference(field, old, new)],
    }
}

fn of_engines(old: &[EngineSpec], new: &[EngineSpec]) -> Vec<String> {
    let names = |engines: &[EngineSpec]| {
        Value::from(engines.iter().map(|engine| engine.name.clone()).collect::<Vec<_>>().join(", "))
    };
    if names(old) != names(new) {
        return vec![change("engines", &names(old), &names(new))];
    }
    let mut found = Vec::new();
    for (old, new) in old.iter().zip(new).filter(|(old, new)| old != new) {
        let (before, after) = (old.words(), new.words());
        let key = |word: &str| word.split('=').next().unwrap_or_default().to_owned();
        let keys: BTreeSet<_> = before.iter().chain(&after).map(|word| key(word)).collect();
        let values = |words: &[String], of: &str| -> Value {
            words.iter().filter(|word| key(word) == of).map(|word| &word[of.len() + 1..]).collect()
        };
        let pairs = keys.iter().map(|key| (key, values(&before, key), values(&after, key)));
        let changed: Vec<_> =
            pairs.filter(|(_, old, new)| old != new).map(|(key, old, new)| change(key, &old, &new)).collect();
        let changed = if changed.is_empty() { "its options in another order".to_owned() } else { changed.join(", ") };
        found.push(format!("engine '{}': {changed}", new.name));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn changed_options_are_named_with_both_values() {
        let engines = |words: [&str; 2]| {
            let parse =
                |text: &str| EngineSpec::parse(&[], &text.split(' ').map(str::to_owned).collect::<Vec<_>>()).unwrap();
            json!(words.map(parse))
        };
        let of = |engines: Value, more: Value| {
            let openings = json!({"plies": 4, "seed": 0});
            let mut all =
                json!({"engines": engines, "games": 24, "maxmoves": null, "resign": [], "openings": openings});
            all.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            all
        };
        let a = "cmd=self name=a nodes=60 option.Hash=4 option.Threads=1";
        let old = of(engines([a, "cmd=self name=b st=0.2"]), json!({}));
        assert_eq!(differences(&old, &old), [""; 0]);
        // Fields that only the old one has are not compared.
        assert_eq!(differences(&of(old["engines"].clone(), json!({"sprt": []})), &old), [""; 0]);
        let new = of(
            engines(["cmd=self name=a nodes=70 option.Hash=4 depth=3", "cmd=self name=b tc=1"]),
            json!({
                "games": 12, "maxmoves": 60, "resign": ["movecount=3", "score=500"],
                "openings": {"words": ["file=a"], "seed": 0, "openings": []},
            }),
        );
        assert_eq!(
            differences(&old, &new),
            [
                "engine 'a': depth none → 3, nodes 60 → 70, option.Threads 1 → none",
                "engine 'b': st 0.2 → none, tc none → 1+0",
                "--games 24 → 12",
                "--maxmoves none → 60",
                "--book-plies 4 → none",
                "--openings none → file=a",
                "--resign none → movecount=3 score=500",
            ]
        );
        let order = of(
            engines(["cmd=self name=a nodes=60 option.Threads=1 option.Hash=4", "cmd=self name=b st=0.2"]),
            json!({}),
        );
        assert_eq!(differences(&old, &order), ["engine 'a': its options in another order"]);
        let more = of(engines([a, "cmd=self name=c st=0.2"]), json!({}));
        assert_eq!(differences(&old, &more), ["engines a, b → a, c"]);
        let book = |text: &str| json!({"openings": {"words": ["file=a"], "seed": 0, "openings": [text]}});
        let files = |sum: u32| of(old["engines"].clone(), json!({"files": {"engine 'a': option.EvalFile=n": sum}}));
        assert_eq!((differences(&files(1), &files(1)), differences(&old, &files(1))), (vec![], vec![]));
        assert_eq!(differences(&files(1), &files(2)), ["engine 'a': option.EvalFile=n has other contents now"]);
        let engines = &old["engines"];
        assert_eq!(
            differences(&of(engines.clone(), book("x")), &of(engines.clone(), book("y"))),
            ["the file of --openings has changed"]
        );
    }
}
