//! The date of a game.

/// Today, `2026.11.21`, UTC.
pub fn today() -> String {
    date(since_1970() / 86_400)
}

/// Seconds since 1970-01-01; 0 if the clock is set to an earlier date.
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
fn since_1970() -> u64 {
    std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .map_or(0, |time| time.as_secs())
}

/// Seconds since 1970-01-01, asked of the program that loads the module, because WebAssembly has no clock.
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
fn since_1970() -> u64 {
    #[link(wasm_import_module = "fauve")]
    unsafe extern "C" {
        /// Milliseconds since 1970-01-01: `Date.now()`.
        safe fn calendar() -> f64;
    }
    (calendar() / 1000.0) as u64
}

/// The Gregorian date of a day since 1970-01-01. The year is computed from March, so that the leap day comes last.
fn date(days: u64) -> String {
    let days = days + 719_468;
    let era = days / 146_097;
    let day = days % 146_097;
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let of_year = day - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let of_month = of_year - (153 * month + 2) / 5 + 1;
    let (month, carry) = if month < 10 {
        (month + 3, 0)
    } else {
        (month - 9, 1)
    };
    format!("{:04}.{month:02}.{of_month:02}", era * 400 + year + carry)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_have_dates() {
        assert_eq!(date(0), "1970.01.01");
        assert_eq!(date(19_782), "2024.02.29");
        assert_eq!(date(19_783), "2024.03.01");
        assert_eq!(date(11_016), "2000.02.29");
        assert_eq!(date(20_453), "2025.12.31");
    }
}
