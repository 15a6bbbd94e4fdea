//! Two-move chess: vectors and properties.
