//! Pages that failed in a browser.

use crate::codec::Form;
use crate::error::ErrorResponse;
use leptos::prelude::*;

/// Reports that a page has become one without scripts: its code did not start (`not_started`), or broke (`panic`). For the
/// scripts of the pages.
#[server(name = ReportFailure, prefix = "/api", endpoint = "report_failure", protocol = Form)]
pub async fn report_failure(
    kind: String,
    page: Option<String>,
    message: Option<String>,
) -> Result<(), ErrorResponse> {
    crate::context::answer(async move {
        let client = crate::context::client_address()?;
        let [page, message] = [page, message].map(Option::unwrap_or_default);
        crate::context::failures::note(client.address, &kind, &page, &message)?;
        Ok(())
    })
    .await
}
