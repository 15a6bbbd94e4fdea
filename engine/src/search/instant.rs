//! The clock on the wall. WebAssembly has none of its own: there whoever loads the module brings one.

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub use std::time::Instant;

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use imported::Instant;

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod imported {
    use std::ops::{Add, Sub};
    use std::time::Duration;

    #[link(wasm_import_module = "fauve")]
    unsafe extern "C" {
        /// Milliseconds since some moment that stays the same, fractions included: `performance.now()`.
        safe fn now() -> f64;
    }

    /// A moment, as in the standard library, by the function `now` that is imported from the module `fauve`.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
    pub struct Instant(Duration);

    impl Instant {
        /// This moment.
        pub fn now() -> Self {
            Self(Duration::try_from_secs_f64(now() / 1000.0).unwrap_or_default())
        }

        /// The time since then; none if the clock was put back.
        pub fn elapsed(&self) -> Duration {
            Self::now().saturating_duration_since(*self)
        }

        /// The time from an earlier moment to this one; none if that is the later one.
        pub fn saturating_duration_since(&self, earlier: Self) -> Duration {
            self.0.saturating_sub(earlier.0)
        }
    }

    impl Add<Duration> for Instant {
        type Output = Self;

        fn add(self, time: Duration) -> Self {
            Self(self.0.saturating_add(time))
        }
    }

    impl Sub<Duration> for Instant {
        type Output = Self;

        fn sub(self, time: Duration) -> Self {
            Self(self.0.saturating_sub(time))
        }
    }

    impl Sub for Instant {
        type Output = Duration;

        fn sub(self, earlier: Self) -> Duration {
            self.saturating_duration_since(earlier)
        }
    }
}
