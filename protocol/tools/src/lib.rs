//! Shared code of the developers' programs in `src/bin/`. None of this is shipped.

pub mod openings;
pub mod reference;
