//! Networks: evaluation learnt from games.

pub mod features;
pub mod file;
pub mod kernels;
#[cfg(test)]
mod test_support;
