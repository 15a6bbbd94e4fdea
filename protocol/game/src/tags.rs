//! PGN tags of a game.

/// Tags in order; names are case-insensitive, since programs disagree about case.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tags(Vec<(String, String)>);

impl Tags {
    /// The value of a tag.
    pub fn get(&self, name: &str) -> Option<&str> {
        let mut tags = self.0.iter();
        tags.find(|(tag, _)| tag.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.as_str())
    }

    /// The value of a tag, unless it is empty or `?`.
    pub fn known(&self, name: &str) -> Option<&str> {
        self.get(name)
            .filter(|value| !value.is_empty() && *value != "?")
    }

    /// Sets a tag: in place if it exists, else at the end.
    pub fn set(&mut self, name: &str, value: &str) {
        let mut tags = self.0.iter_mut();
        match tags.find(|(tag, _)| tag.eq_ignore_ascii_case(name)) {
            Some((_, old)) => value.clone_into(old),
            None => self.add(name, value),
        }
    }

    /// Appends a tag, even if one of this name exists.
    pub fn add(&mut self, name: &str, value: &str) {
        self.0.push((name.to_owned(), value.to_owned()));
    }

    /// Removes all tags of this name.
    pub fn remove(&mut self, name: &str) {
        self.0.retain(|(tag, _)| !tag.eq_ignore_ascii_case(name));
    }

    /// The tags in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// Whether there are no tags.
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl FromIterator<(String, String)> for Tags {
    fn from_iter<I: IntoIterator<Item = (String, String)>>(tags: I) -> Self {
        Self(tags.into_iter().collect())
    }
}
