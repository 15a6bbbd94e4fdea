//! Networks: evaluation learnt from games.

pub mod features;
