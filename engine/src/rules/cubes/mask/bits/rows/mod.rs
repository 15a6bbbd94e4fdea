//! Eight rows of cells, half of a set: in a vector of 128 bits, or in words where `vector` knows none.

#[cfg(any(
    test,
    not(any(
        target_feature = "sse2",
        all(target_arch = "aarch64", target_endian = "little"),
        target_feature = "simd128"
    ))
))]
pub mod plain;
#[cfg(any(
    target_feature = "sse2",
    all(target_arch = "aarch64", target_endian = "little"),
    target_feature = "simd128"
))]
mod vector;

#[cfg(not(any(
    target_feature = "sse2",
    all(target_arch = "aarch64", target_endian = "little"),
    target_feature = "simd128"
)))]
pub use plain::Rows;
#[cfg(any(
    target_feature = "sse2",
    all(target_arch = "aarch64", target_endian = "little"),
    target_feature = "simd128"
))]
pub use vector::Rows;
