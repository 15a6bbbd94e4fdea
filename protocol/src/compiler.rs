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
    /// AVX-512 F, DQ, CD, BW and VL, as leaf 7 has them in `ebx`.
    const V4: u32 = 1 << 16 | 1 << 17 | 1 << 28 | 1 << 30 | 1 << 31;
    /// BMI1, AVX2 and BMI2 there; FMA, MOVBE, OSXSAVE, AVX and F16C in `ecx` of leaf 1; LZCNT in that of 8000_0001.
    const V3: [u32; 3] = [
        1 << 3 | 1 << 5 | 1 << 8,
        1 << 12 | 1 << 22 | 1 << 27 | 1 << 28 | 1 << 29,
        1 << 5,
    ];
    /// SSE3, SSSE3, SSE4.1, SSE4.2 and POPCNT in `ecx` of leaf 1.
    const V2: u32 = 1 | 1 << 9 | 1 << 19 | 1 << 20 | 1 << 23;
    let basic = __cpuid(1).ecx;
    let seventh = if __cpuid(0).eax >= 7 {
        __cpuid_count(7, 0).ebx
    } else {
        0
    };
    let amd = if __cpuid(0x8000_0000).eax > 0x8000_0000 {
        __cpuid(0x8000_0001).ecx
    } else {
        0
    };
    let has = |word: u32, bits: u32| word & bits == bits;
    if cfg!(target_feature = "avx512f") && !has(seventh, V4) {
        return Some(
            "fauve: this build needs a processor with AVX-512 (x86-64-v4); use the build for x86-64-v3 or x86-64\n",
        );
    }
    let has_v3 = has(seventh, V3[0]) && has(basic, V3[1]) && has(amd, V3[2]);
    if cfg!(target_feature = "avx2") && !has_v3 {
        return Some(
            "fauve: this build needs a processor with AVX2, FMA and BMI2 (x86-64-v3); use the build for x86-64\n",
        );
    }
    if cfg!(target_feature = "popcnt") && !has(basic, V2) {
        return Some(
            "fauve: this build needs a processor with SSE4.2 and POPCNT; use the build for x86-64\n",
        );
    }
    None
}

/// Ends the program with a sentence and the status 1 if this build is for another processor. Nothing but numbers and the C
/// library, which is built for every processor, is used on the way.
#[cfg(any(target_os = "linux", windows))]
pub extern "C" fn refuse_processor() {
    const STANDARD_ERROR: i32 = 2;
    if let Some(reason) = missing() {
        // SAFETY: the text is valid for as many bytes as it has, and nothing here holds anything that has to be given back.
        unsafe {
            // Systems count bytes in different types.
            libc::write(STANDARD_ERROR, reason.as_ptr().cast(), reason.len() as _);
            libc::_exit(1);
        }
    }
}

/// Elsewhere a build is for one kind of processor.
#[cfg(not(target_arch = "x86_64"))]
pub fn missing() -> Option<&'static str> {
    None
}
