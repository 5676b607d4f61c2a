//! Reports of browsers on pages that failed: counted, logged in one escaped line, bounded.

use super::app::TestApp;
use super::player::send;
use tochki_protocol::limits;

#[tokio::test]
async fn an_address_reports_failures_so_often() {
    let app = TestApp::with_settings(|settings| settings.trust_proxy = 1).await;
    let report = async |address: &str, kind: &str, message: &str| {
        let form = [("kind", kind), ("page", "match"), ("message", message)];
        let request = app
            .visitor()
            .post_request("/api/report_failure")
            .form(&form);
        send(request.header("x-forwarded-for", address)).await
    };
    report("192.0.2.7", "none", "")
        .await
        .assert_error(400, "bad_request");
    // Longer than what is logged, but the report counts.
    let long = "panic ".repeat(limits::FAILURE_MESSAGE_MAX_CHARS);
    let mut counted = 0;
    let refused = loop {
        let answer = report("192.0.2.7", "panic", &long).await;
        if answer.status != 200 {
            break answer;
        }
        counted += 1;
        assert!(counted < 10 * limits::FAILURE_REPORTS_PER_MINUTE);
    };
    refused.assert_error(429, "too_many_requests");
    // One more comes free each second, and this may take some.
    assert!(counted >= limits::FAILURE_REPORTS_PER_MINUTE, "{counted}");
    // The limit falls on nobody else.
    assert_eq!(
        report("192.0.2.8", "not_started", "no WebAssembly")
            .await
            .status,
        200
    );
}
