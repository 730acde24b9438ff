//! Solutions as trees of turns.

use serde::de::{MapAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// Turns, each with what may follow it. Layers alternate: the winner's turn, replies to it, the answer to each.
///
/// As JSON it is an object: a turn is a name, and what follows is its value. The order of the names has a meaning, the
/// hardest reply first.
///
/// ```
/// use hippolyta_lab::problems::Tree;
///
/// let tree: Tree = serde_json::from_str(r#"{"c1c2,c2b3":{"a3b2,b2a3":{"c2c1,c1c2":{}}}}"#)?;
/// assert_eq!((tree.len(), tree.depth()), (3, 3));
/// assert_eq!(tree.branches[0].0, "c1c2,c2b3");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tree {
    /// The turns of this layer, in their order, with what follows each.
    pub branches: Vec<(String, Tree)>,
}

/// The most layers that are read.
const DEEPEST: usize = 64;

impl Tree {
    /// One turn, and what follows it.
    pub fn of(turn: String, after: Self) -> Self {
        Self { branches: vec![(turn, after)] }
    }

    /// The number of turns in all layers.
    pub fn len(&self) -> usize {
        self.branches.iter().map(|(_, after)| 1 + after.len()).sum()
    }

    /// Whether it has no turn.
    pub fn is_empty(&self) -> bool {
        self.branches.is_empty()
    }

    /// The number of layers.
    pub fn depth(&self) -> usize {
        self.branches.iter().map(|(_, after)| 1 + after.depth()).max().unwrap_or(0)
    }
}

impl Serialize for Tree {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.branches.len()))?;
        for (turn, after) in &self.branches {
            map.serialize_entry(turn, after)?;
        }
        map.end()
    }
}

#[cfg(test)]
impl schemars::JsonSchema for Tree {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Tree".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let below = generator.subschema_for::<Self>();
        schemars::json_schema!({
            "description": "Turns, each with what may follow it, the hardest reply first",
            "type": "object",
            "additionalProperties": below,
        })
    }
}

impl<'de> Deserialize<'de> for Tree {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Branches;

        impl<'de> Visitor<'de> for Branches {
            type Value = Tree;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object of turns")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Tree, A::Error> {
                let mut branches = Vec::new();
                while let Some(branch) = map.next_entry()? {
                    branches.push(branch);
                }
                let tree = Tree { branches };
                if tree.depth() > DEEPEST {
                    return Err(serde::de::Error::custom(format!("more than {DEEPEST} layers")));
                }
                Ok(tree)
            }
        }

        deserializer.deserialize_map(Branches)
    }
}
