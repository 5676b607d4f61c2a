//! A step through a game: to the start, back, forward, to the end.

use leptos::ev::KeyboardEvent;

/// A step, as named by buttons, keys and URLs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    First,
    Back,
    Forward,
    Last,
}

impl Step {
    /// All steps, in the order of their buttons.
    pub(crate) const ALL: [Self; 4] = [Self::First, Self::Back, Self::Forward, Self::Last];

    /// Returns the name in forms and URLs.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::First => "first",
            Self::Back => "back",
            Self::Forward => "on",
            Self::Last => "last",
        }
    }

    /// Parses the name.
    pub(crate) fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|step| step.as_str() == name)
    }

    /// Returns the step of a key.
    pub(crate) fn of_key(key: &KeyboardEvent) -> Option<Self> {
        if key.ctrl_key() || key.alt_key() || key.meta_key() {
            return None;
        }
        match key.key().as_str() {
            "ArrowLeft" | "ArrowUp" => Some(Self::Back),
            "ArrowRight" | "ArrowDown" => Some(Self::Forward),
            "Home" => Some(Self::First),
            "End" => Some(Self::Last),
            _ => None,
        }
    }

    /// Returns the ply that the step leads to in a game with `last` moves.
    pub(crate) fn from(self, ply: usize, last: usize) -> usize {
        match self {
            Self::First => 0,
            Self::Back => ply.saturating_sub(1),
            Self::Forward => last.min(ply + 1),
            Self::Last => last,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_stop_at_both_ends() {
        let from = |ply| Step::ALL.map(|step| step.from(ply, 7));
        assert_eq!(from(3), [0, 2, 4, 7]);
        assert_eq!(from(0), [0, 0, 1, 7]);
        assert_eq!(from(7), [0, 6, 7, 7]);
        assert_eq!(Step::ALL.map(|step| step.from(0, 0)), [0; 4]);
    }

    #[test]
    fn a_step_is_parsed_from_its_name() {
        for step in Step::ALL {
            assert_eq!(Step::parse(step.as_str()), Some(step));
        }
        assert_eq!(Step::parse("forward"), None);
    }
}
