//! The learned weights of a group of rule sets.

use crate::forks::Once;
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

/// The learned weights of a group. Embedded ones are decoded where they are first used: a process rarely plays rule
/// sets of more than one group, and to decode them all takes as long as the rest of its start.
pub struct Group<L>(Arc<Lazy<L>>);

struct Lazy<L> {
    learned: Once<L>,
    /// The name of the group's linear tables.
    name: String,
    decode: fn(&str) -> L,
}

impl<L> Group<L> {
    /// The group whose linear tables have this name; `decode` gets the name.
    pub fn lazy(name: &str, decode: fn(&str) -> L) -> Self {
        Self(Arc::new(Lazy { learned: Once::new(), name: name.to_owned(), decode }))
    }

    /// Whether both are one and the same, and not merely equal.
    pub fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// Changes what is learned. Copies of the group keep what they have.
    pub fn change<R>(&mut self, change: impl FnOnce(&mut L) -> R) -> R
    where
        L: Clone,
    {
        let own = Arc::get_mut(&mut self.0).map(|lazy| (lazy.learned.take(), lazy));
        // Only copied if somebody else uses it.
        let mut learned = match own {
            Some((learned, lazy)) => learned.unwrap_or_else(|| (lazy.decode)(&lazy.name)),
            None => L::clone(self),
        };
        let result = change(&mut learned);
        let Lazy { name, decode, .. } = &*self.0;
        self.0 = Arc::new(Lazy { learned: learned.into(), name: name.clone(), decode: *decode });
        result
    }
}

impl<L> Deref for Group<L> {
    type Target = L;

    #[inline(always)]
    fn deref(&self) -> &L {
        self.0.learned.get_or_make(|| (self.0.decode)(&self.0.name))
    }
}

impl<L> Clone for Group<L> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<L: PartialEq> PartialEq for Group<L> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<L: fmt::Debug> fmt::Debug for Group<L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_keep_what_they_have() {
        let mut group = Group::lazy("desdemona", |name| name.len());
        let copy = group.clone();
        assert!(group.is(&copy));
        assert_eq!(group.change(|length| std::mem::replace(length, 5)), 9);
        assert_eq!((*group, *copy, group.is(&copy), group == copy), (5, 9, false, false));
        group.change(|length| *length = 9);
        assert_eq!(group, copy);
    }
}
