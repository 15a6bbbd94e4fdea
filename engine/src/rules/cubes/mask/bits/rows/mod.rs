//! Eight rows of cells, half of a set: in a vector of 128 bits, or in words where `vector` knows none.

#[cfg(test)]
pub mod plain;
#[cfg_attr(
    not(any(
        target_feature = "sse2",
        all(target_arch = "aarch64", target_endian = "little"),
        target_feature = "simd128"
    )),
    path = "plain.rs"
)]
mod vector;

pub use vector::Rows;
