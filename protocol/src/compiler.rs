//! How the program was built, and whether this machine can run it.

/// What `fauve --version` says behind the name.
pub const VERSION: &str = concat!(
    env!("CARGO_PKG_VERSION"),
    " (",
    env!("FAUVE_COMMIT"),
    ", ",
    env!("FAUVE_TARGET"),
    ")"
);

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

/// What a processor has to have for this build and has not, in a sentence; `None`: it has all.
///
/// The macro of the standard library takes what the build may use for given, so that the processor itself is asked. Nothing
/// here may need the instructions that it asks for: plain numbers and a text that is there already.
#[cfg(target_arch = "x86_64")]
#[inline(never)]
pub fn missing() -> Option<&'static str> {
    use std::arch::x86_64::{__cpuid, __cpuid_count};
    let highest = __cpuid(0).eax;
    let basic = __cpuid(1).ecx;
    let extended = if highest >= 7 {
        __cpuid_count(7, 0).ebx
    } else {
        0
    };
    let has = |word: u32, bit: u32| word >> bit & 1 == 1;
    if cfg!(target_feature = "avx512f") && !has(extended, 16) {
        return Some(
            "fauve: this build needs a processor with AVX-512 (x86-64-v4); take that for x86-64-v3 or x86-64\n",
        );
    }
    let has_v3 = has(extended, 5) && has(extended, 3) && has(extended, 8) && has(basic, 12);
    if cfg!(target_feature = "avx2") && !has_v3 {
        return Some(
            "fauve: this build needs a processor with AVX2, FMA and BMI2 (x86-64-v3); take that for x86-64\n",
        );
    }
    if cfg!(target_feature = "popcnt") && !has(basic, 23) {
        return Some("fauve: this build needs a processor with POPCNT; take that for x86-64\n");
    }
    None
}

/// Elsewhere a build is for one kind of processor.
#[cfg(not(target_arch = "x86_64"))]
pub fn missing() -> Option<&'static str> {
    None
}
