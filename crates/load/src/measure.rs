//! Measured durations, and their table.

use std::time::Duration;

/// Durations, to be sorted.
#[derive(Default)]
pub(crate) struct Durations(Vec<u32>);

impl Durations {
    pub(crate) fn add(&mut self, duration: Duration) {
        self.0
            .push(u32::try_from(duration.as_micros()).unwrap_or(u32::MAX));
    }

    pub(crate) fn merge(&mut self, others: Self) {
        self.0.extend(others.0);
    }

    pub(crate) fn count(&self) -> usize {
        self.0.len()
    }

    /// Returns the duration that so many percent do not exceed, in words.
    pub(crate) fn percentile(&mut self, percent: usize) -> String {
        self.0.sort_unstable();
        let place = (self.0.len() * percent).div_ceil(100).max(1) - 1;
        match self.0.get(place) {
            Some(micros) => format!("{:.1} ms", f64::from(*micros) / 1000.0),
            None => "none".to_owned(),
        }
    }
}

/// A table in Markdown.
pub(crate) struct Table {
    lines: Vec<Vec<String>>,
}

impl Table {
    pub(crate) fn new(columns: &[&str]) -> Self {
        Self {
            lines: vec![columns.iter().map(ToString::to_string).collect()],
        }
    }

    pub(crate) fn row(&mut self, cells: &[String]) {
        // At once as well, because the whole takes minutes.
        eprintln!("{}", cells.join(" | "));
        self.lines.push(cells.to_vec());
    }

    pub(crate) fn print(&self) {
        let rule = vec!["---".to_owned(); self.lines[0].len()];
        println!();
        for line in self.lines[..1]
            .iter()
            .chain([&rule])
            .chain(&self.lines[1..])
        {
            println!("| {} |", line.join(" | "));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_percentile_is_one_of_the_durations() {
        let mut durations = Durations::default();
        for ms in (1..=100).rev() {
            durations.add(Duration::from_millis(ms));
        }
        assert_eq!(durations.percentile(50), "50.0 ms");
        assert_eq!(durations.percentile(99), "99.0 ms");
        assert_eq!(Durations::default().percentile(99), "none");
    }
}
