//! Orthodox chess: vectors and properties.
