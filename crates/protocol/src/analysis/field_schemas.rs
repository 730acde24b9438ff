//! How fields are described in the JSON Schema, where their types do not say it by themselves.

use super::fields::{LONGEST_LIST, LONGEST_RULES, List, Object, RuleSet, Rules, Seconds, Share, Text, Whole};
use hippolyta::games::variant;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use std::borrow::Cow;

pub(super) use super::fields::{Fen, Id};
pub(super) use traits::Traits;

/// The traits of the rules, with their schema.
#[path = "../../../rules/src/games/traits.rs"]
#[allow(dead_code)]
mod traits;

/// `white` or `black`.
#[derive(JsonSchema)]
#[schemars(inline, rename_all = "camelCase")]
#[allow(dead_code)]
pub(super) enum SideName {
    White,
    Black,
}

#[derive(JsonSchema)]
#[schemars(inline, rename_all = "camelCase")]
#[allow(dead_code)]
pub(super) enum WinnerName {
    White,
    Black,
    Draw,
}

#[derive(JsonSchema)]
#[schemars(inline, rename_all = "camelCase")]
#[allow(dead_code)]
pub(super) enum EndingName {
    NoTurn,
    NoPiece,
    NoDamone,
    Quiet,
    Repetition,
}

#[derive(JsonSchema)]
#[schemars(inline, rename_all = "camelCase")]
#[allow(dead_code)]
pub(super) enum KindName {
    Inaccuracy,
    Mistake,
    Blunder,
}

#[derive(JsonSchema)]
#[schemars(inline)]
#[allow(dead_code)]
pub(super) struct Probability(#[schemars(range(min = 0, max = 1))] f64);

pub(super) type PerMille = Whole<u32, 0, 1_000>;

/// A schema that stands where it is used, not in `$defs`.
macro_rules! inline {
    ([$($generics:tt)*] $type:ty, $name:literal, |$generator:ident| $schema:expr) => {
        impl<$($generics)*> JsonSchema for $type {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> Cow<'static, str> {
                $name.into()
            }

            fn json_schema($generator: &mut SchemaGenerator) -> Schema {
                $schema
            }
        }
    };
}

inline!([N, const LEAST: i64, const MOST: i64] Whole<N, LEAST, MOST>, "Whole", |_generator| {
    json_schema!({"type": "integer", "minimum": LEAST, "maximum": MOST})
});
// Characters, of which there are no more than bytes.
inline!([const LONGEST: usize] Text<LONGEST>, "Text", |_generator| {
    json_schema!({"type": "string", "maxLength": LONGEST})
});
inline!([T: JsonSchema] List<T>, "List", |generator| {
    json_schema!({"type": "array", "items": generator.subschema_for::<T>(), "maxItems": LONGEST_LIST})
});
inline!([] Share, "Share", |_generator| json_schema!({"type": "number", "minimum": 0, "maximum": 1}));
inline!([const MOST: u32] Seconds<MOST>, "Seconds", |_generator| {
    json_schema!({"type": "number", "exclusiveMinimum": 0, "maximum": MOST})
});

/// An id as a client gave it, whatever it is.
pub(super) struct AnyId;

inline!([] AnyId, "AnyId", |_generator| json_schema!({"type": ["string", "number", "boolean", "array", "object"]}));

impl<T: JsonSchema> JsonSchema for Object<T> {
    fn inline_schema() -> bool {
        T::inline_schema()
    }

    fn schema_name() -> Cow<'static, str> {
        T::schema_name()
    }

    fn schema_id() -> Cow<'static, str> {
        T::schema_id()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        T::json_schema(generator)
    }
}

inline!([] RuleSet, "RuleSetName", |generator| {
    json_schema!({"anyOf": [generator.subschema_for::<BuiltIn>(), {"type": "string"}]})
});
inline!([] Rules, "Rules", |_generator| json_schema!({"type": "string", "maxLength": LONGEST_RULES}));

/// The rule sets that are built in.
struct BuiltIn;

impl JsonSchema for BuiltIn {
    fn schema_name() -> Cow<'static, str> {
        "RuleSet".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"enum": variant::names()})
    }
}
