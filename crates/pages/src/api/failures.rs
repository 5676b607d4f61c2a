//! Pages that failed in a browser.

use crate::error::ErrorResponse;
use tochki_endpoint::endpoint;

/// Reports that a page has become one without scripts: its code did not start (`not_started`), or broke (`panic`). For the
/// scripts of the pages.
#[endpoint(
    name = ReportFailure,
    post = "/api/report_failure",
    answers = "`null`; for the scripts of the pages, whose code did not start or broke",
)]
pub async fn report_failure(
    kind: String,
    page: Option<String>,
    message: Option<String>,
) -> Result<(), ErrorResponse> {
    let client = crate::context::client_address()?;
    let [page, message] = [page, message].map(Option::unwrap_or_default);
    crate::context::failures::note(client.address, &kind, &page, &message)?;
    Ok(())
}
