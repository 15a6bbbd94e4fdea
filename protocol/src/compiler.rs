//! How the program was built.

/// The compiler, the target and the processor features that the build was allowed to use.
pub fn describe() -> String {
    let features: Vec<&str> = [
        ("popcnt", cfg!(target_feature = "popcnt")),
        ("bmi1", cfg!(target_feature = "bmi1")),
        ("bmi2", cfg!(target_feature = "bmi2")),
        ("avx2", cfg!(target_feature = "avx2")),
        ("avx512f", cfg!(target_feature = "avx512f")),
        ("neon", cfg!(target_feature = "neon")),
    ]
    .into_iter()
    .filter_map(|(name, used)| used.then_some(name))
    .collect();
    format!(
        "Compiled by {} for {}-{}, {}, features: {}",
        env!("FAUVE_RUSTC"),
        std::env::consts::ARCH,
        std::env::consts::OS,
        if cfg!(debug_assertions) {
            "with debug assertions"
        } else {
            "release"
        },
        if features.is_empty() {
            "baseline".to_owned()
        } else {
            features.join(" ")
        },
    )
}
