//! Figures as people read them.

/// A figure with this many digits behind the point: no `-0.00`, and a dash where there is none.
pub(super) fn figure(value: f64, digits: usize) -> String {
    if value.is_nan() {
        return "-".to_owned();
    }
    let text = format!("{value:.digits$}");
    match text.strip_prefix('-') {
        Some(rest) if rest.bytes().all(|byte| matches!(byte, b'0' | b'.')) => rest.to_owned(),
        _ => text,
    }
}

/// The same with its sign.
pub(super) fn signed(value: f64, digits: usize) -> String {
    let text = figure(value, digits);
    if value.is_nan() || text.starts_with('-') {
        text
    } else {
        format!("+{text}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_figure_is_minus_nothing_or_no_number() {
        assert_eq!(figure(-0.004, 2), "0.00");
        assert_eq!(figure(-0.0, 1), "0.0");
        assert_eq!(figure(-0.005001, 2), "-0.01");
        assert_eq!(figure(f64::NAN, 2), "-");
        assert_eq!(figure(f64::NEG_INFINITY, 2), "-inf");
        assert_eq!(signed(-0.004, 2), "+0.00");
        assert_eq!(signed(1.5, 1), "+1.5");
        assert_eq!(signed(-1.5, 1), "-1.5");
        assert_eq!(signed(f64::NAN, 1), "-");
    }
}
