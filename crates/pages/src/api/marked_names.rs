//! Marked names (older than the rules about names), for operators.

use crate::error::ErrorResponse;
use tochki_endpoint::endpoint;
use tochki_protocol::MarkedName;

/// The players whose names would be refused today.
#[endpoint(
    name = ReadMarkedNames,
    get = "/api/marked_names",
    answers = "`[{player: Account, mark}, …]`: older names that would be refused today; `mark` is `clash` (looks like an older one) or `refused`",
)]
pub async fn marked_names(
    app: AppState,
    operator: Operator,
) -> Result<Vec<MarkedName>, ErrorResponse> {
    app.operators.marked_names(&operator).await
}
