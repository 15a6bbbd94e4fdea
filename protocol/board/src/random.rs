//! Randomness: from the system through the standard library, or in WebAssembly from the program that loads the module.

use fauve_engine::rules::DiceSeed;

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
fn random() -> u64 {
    use std::hash::{BuildHasher, RandomState};
    RandomState::new().hash_one("random")
}

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
fn random() -> u64 {
    mod imported {
        #[link(wasm_import_module = "fauve")]
        unsafe extern "C" {
            /// 64 random bits: `crypto.getRandomValues`.
            pub(super) safe fn random() -> u64;
        }
    }
    imported::random()
}

/// The name of a game that nobody guesses.
pub(crate) fn id() -> String {
    format!("{:016x}{:016x}", random(), random())
}

/// A seed for the dice of a game.
pub(crate) fn seed() -> DiceSeed {
    DiceSeed(random())
}
