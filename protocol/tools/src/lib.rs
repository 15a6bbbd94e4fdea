//! What the developers' programs in `src/bin/` share. None of this is shipped.

pub mod openings;
pub mod reference;
