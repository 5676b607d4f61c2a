//! State machine of a client: the requests that each state refuses. Checks of names, boards and the database come later.

use crate::codec::Request;
use crate::message::LineError;

/// The state of a client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    /// The client is not logged in.
    Login,
    /// A player without a game.
    Lobby,
    /// A player in a game that has not begun.
    Waiting,
    /// A player in a game, who draws next.
    OnTurn,
    /// A player in a game whose opponent draws next.
    OpponentsTurn,
}

impl State {
    /// Returns whether the client is in a game.
    pub(crate) fn in_game(self) -> bool {
        matches!(self, Self::Waiting | Self::OnTurn | Self::OpponentsTurn)
    }

    /// Refuses a request that makes no sense in this state.
    pub(crate) fn admit(self, request: &Request) -> Result<(), LineError> {
        use Request::{Create, Join, Leave, Load, Login, Ping, Reconnect, Sync, Turn};
        match request {
            Login { .. } | Reconnect { .. } if self == Self::Login => Ok(()),
            Login { .. } | Reconnect { .. } => Err(LineError::Invalid),
            Load | Create { .. } | Join { .. } if self == Self::Login => Err(LineError::Invalid),
            Create { .. } | Join { .. } if self.in_game() => Err(LineError::InGame),
            Leave | Turn { .. } | Sync if !self.in_game() => Err(LineError::NotInGame),
            Turn { .. } if self != Self::OnTurn => Err(LineError::NotOnTurn),
            Ping | Load | Create { .. } | Join { .. } | Leave | Turn { .. } | Sync => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STATES: [State; 5] = [
        State::Login,
        State::Lobby,
        State::Waiting,
        State::OnTurn,
        State::OpponentsTurn,
    ];

    /// Checks the numbers of the errors in the order of [`STATES`]; 0 where the request is let through.
    #[track_caller]
    fn check(request: &Request, expected: [u8; 5]) {
        let found = STATES.map(|state| state.admit(request).err().map_or(0, |error| error as u8));
        assert_eq!(found, expected, "{request:?}");
    }

    #[test]
    fn each_request_has_its_error_in_each_state() {
        let (name, game) = ("bob".to_owned(), "den".to_owned());
        let token = None;
        check(
            &Request::Login {
                name: name.clone(),
                token: token.clone(),
            },
            [0, 1, 1, 1, 1],
        );
        check(&Request::Reconnect { name, token }, [0, 1, 1, 1, 1]);
        check(&Request::Load, [1, 0, 0, 0, 0]);
        check(&Request::Create { game: game.clone() }, [1, 0, 5, 5, 5]);
        check(&Request::Join { game }, [1, 0, 5, 5, 5]);
        check(&Request::Leave, [4, 4, 0, 0, 0]);
        check(&Request::Turn { x: 0, row: 0 }, [4, 4, 3, 0, 3]);
        check(&Request::Sync, [4, 4, 0, 0, 0]);
        check(&Request::Ping, [0, 0, 0, 0, 0]);
    }
}
