//! Networks: evaluation learnt from games.

pub mod features;
pub mod file;
#[cfg(test)]
mod test_support;
