//! The metrics of a server, which serves them in the text format of Prometheus.

use crate::Result;

/// The metrics at one moment.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Metrics(Vec<Series>);

/// A number, with the name and the labels it has.
#[derive(Clone, Debug, PartialEq)]
struct Series {
    name: String,
    labels: Vec<(String, String)>,
    value: f64,
}

impl Metrics {
    /// Reads the text. Comments are passed over.
    ///
    /// # Errors
    /// If a line is something else.
    pub(crate) fn read(text: &str) -> Result<Self> {
        let lines = text.lines().map(str::trim);
        let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
        let series = lines
            .map(|line| Series::read(line).ok_or_else(|| format!("no metric: {line}").into()))
            .collect::<Result<_>>()?;
        Ok(Self(series))
    }

    /// Returns the sum of the series with this name and these labels; 0 where there is none yet.
    pub(crate) fn sum(&self, name: &str, labels: &[(&str, &str)]) -> f64 {
        let series = self.0.iter().filter(|series| series.name == name);
        let wanted = series.filter(|series| {
            labels
                .iter()
                .all(|(label, value)| series.label(label) == Some(value))
        });
        wanted.map(|series| series.value).sum()
    }

    /// Returns the buckets of a histogram: their upper bounds, ascending, and the numbers of values that are not above them.
    fn buckets(&self, name: &str) -> Vec<(f64, f64)> {
        let name = format!("{name}_bucket");
        let of_name = self.0.iter().filter(|series| series.name == name);
        let mut buckets: Vec<_> = of_name
            .filter_map(|series| Some((series.label("le")?.parse().ok()?, series.value)))
            .collect();
        buckets.sort_by(|(one, _), (other, _)| f64::total_cmp(one, other));
        buckets
    }

    /// Returns the mean of the values that a histogram has got since `before`; `None` if there are none.
    pub(crate) fn mean_since(&self, before: &Self, name: &str) -> Option<f64> {
        let since = |part: &str| {
            let name = format!("{name}_{part}");
            self.sum(&name, &[]) - before.sum(&name, &[])
        };
        let count = since("count");
        (count > 0.0).then(|| since("sum") / count)
    }

    /// Returns the value that so large a part of the values of a histogram since `before` does not exceed, between the bounds of
    /// its bucket, as `histogram_quantile` of Prometheus estimates it; `None` if there are none.
    pub(crate) fn quantile_since(&self, before: &Self, name: &str, part: f64) -> Option<f64> {
        let old = before.buckets(name);
        let old = |bound: f64| {
            let same = old.iter().find(|(of, _)| of.total_cmp(&bound).is_eq());
            same.map_or(0.0, |(_, count)| *count)
        };
        let buckets: Vec<_> = self
            .buckets(name)
            .into_iter()
            .map(|(bound, count)| (bound, count - old(bound)))
            .collect();
        let (_, all) = buckets.last().filter(|(_, count)| *count > 0.0)?;
        let rank = part * all;
        let (mut lower, mut below) = (0.0, 0.0);
        for (bound, count) in &buckets {
            if *count >= rank {
                // The last bucket has no upper bound.
                let width = if bound.is_finite() {
                    bound - lower
                } else {
                    0.0
                };
                return Some(lower + width * (rank - below) / (count - below));
            }
            (lower, below) = (*bound, *count);
        }
        None
    }
}

impl Series {
    fn read(line: &str) -> Option<Self> {
        let (name, mut rest) = line.split_at(line.find(['{', ' '])?);
        let mut labels = Vec::new();
        if let Some(within) = rest.strip_prefix('{') {
            rest = within;
            while !rest.starts_with('}') {
                let (label, quoted) = rest.split_once("=\"")?;
                let (value, after) = unquote(quoted)?;
                labels.push((label.trim().to_owned(), value));
                rest = after.strip_prefix(',').unwrap_or(after);
            }
            rest = &rest[1..];
        }
        Some(Self {
            name: name.to_owned(),
            labels,
            // A time may follow.
            value: rest.split_whitespace().next()?.parse().ok()?,
        })
    }

    fn label(&self, name: &str) -> Option<&str> {
        let label = self.labels.iter().find(|(label, _)| label == name);
        label.map(|(_, value)| &**value)
    }
}

/// Returns the text up to the quotation mark that ends it, and the rest. Braces and commas may be in the text.
fn unquote(text: &str) -> Option<(String, &str)> {
    let (mut value, mut characters) = (String::new(), text.char_indices());
    loop {
        match characters.next()? {
            (end, '"') => return Some((value, &text[end + 1..])),
            (_, '\\') => match characters.next()?.1 {
                'n' => value.push('\n'),
                escaped => value.push(escaped),
            },
            (_, character) => value.push(character),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BEFORE: &str = r#"
# HELP moves_total Moves, by outcome: committed or refused
# TYPE moves_total counter
moves_total{outcome="committed"} 120
moves_total{outcome="refused"} 3
http_requests_total{route="/match/{id}",method="GET",status="200"} 7
streams{kind="match"} 1000
streams{kind="lobby"} 12
append_duration_seconds_bucket{le="0.001"} 10
append_duration_seconds_bucket{le="0.0025"} 20
append_duration_seconds_bucket{le="+Inf"} 20
append_duration_seconds_sum 0.03
append_duration_seconds_count 20
"#;

    const AFTER: &str = r#"
append_duration_seconds_bucket{le="+Inf"} 122 1790000000000
append_duration_seconds_bucket{le="0.001"} 60
append_duration_seconds_bucket{le="0.0025"} 120
append_duration_seconds_sum 0.132
append_duration_seconds_count 122
"#;

    #[test]
    fn series_are_summed_by_name_and_labels() {
        let metrics = Metrics::read(BEFORE).unwrap();
        for (name, labels, sum) in [
            ("moves_total", &[("outcome", "committed")][..], 120.0),
            ("moves_total", &[], 123.0),
            ("streams", &[], 1012.0),
            ("http_requests_total", &[("route", "/match/{id}")], 7.0),
            ("streams", &[("kind", "table")], 0.0),
            ("stream", &[], 0.0),
        ] {
            let told = metrics.sum(name, labels);
            assert!((told - sum).abs() < 1e-9, "{name} {labels:?}: {told}");
        }
    }

    #[test]
    fn a_quoted_label_may_hold_anything() {
        let series = Series::read(r#"a{b="x, \"y\"}",c=""} +Inf"#).unwrap();
        assert_eq!(series.label("b"), Some(r#"x, "y"}"#));
        assert_eq!(series.label("c"), Some(""));
        assert!(series.value.is_infinite());
        for line in ["a", "a b", "a{b=c} 1", r#"a{b="c} 1"#, r#"a{b="c"}"#] {
            assert_eq!(Series::read(line), None, "{line}");
        }
    }

    #[test]
    fn a_histogram_tells_what_has_come_since() {
        let name = "append_duration_seconds";
        let [before, after] = [BEFORE, AFTER].map(|text| Metrics::read(text).unwrap());
        let near = |told: Option<f64>, value: f64| {
            let told = told.expect("something has come");
            assert!((told - value).abs() < 1e-9, "{told} is not {value}");
        };
        near(after.mean_since(&before, name), 0.001);
        // 50 of 102 in the first bucket, 50 in the second, 2 above all bounds.
        near(after.quantile_since(&before, name, 0.25), 0.000_51);
        near(after.quantile_since(&before, name, 75.0 / 102.0), 0.001_75);
        near(after.quantile_since(&before, name, 0.99), 0.0025);
        assert_eq!(after.mean_since(&after, name), None);
        assert_eq!(after.quantile_since(&after, name, 0.99), None);
        // The histogram is there since the first value.
        let none = Metrics::default();
        near(before.quantile_since(&none, name, 0.5), 0.001);
    }
}
