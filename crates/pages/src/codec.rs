//! Encoding of server functions: arguments as a form or JSON, answers as JSON.
//!
//! For programs this encoding is that of `Http<PostUrl, Json>` and `Http<GetUrl, Json>` of Leptos. A browser needs less code for
//! it: one function sends the request of every server function, and [`json`] reads the answer. The server reads all JSON by
//! `serde_json`.

use crate::error::ErrorResponse;
use http::Method;
use leptos::server_fn::client::Client;
use leptos::server_fn::codec::{self, FromReq, GetUrl, IntoRes, Post, PostUrl};
use leptos::server_fn::error::{FromServerFnError, ServerFnErrorErr};
use leptos::server_fn::request::Req;
use leptos::server_fn::server::Server;
use leptos::server_fn::{Bytes, ContentType, Decodes, Encodes, Format, FormatType, Protocol};
use leptos::web_sys::{Headers, RequestInit, Response};
use send_wrapper::SendWrapper;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt;
use std::marker::PhantomData;
use std::pin::Pin;
use tochki_protocol::json::{self, DecodeError};
use tochki_protocol::{ApiError, Code, limits};
use wasm_bindgen::{JsCast, JsValue};

/// A server function whose arguments are the query of its address.
pub type Query = Call<GetUrl>;

/// A server function whose arguments are posted as a form, or as JSON where `Content-Type` says so.
pub type Form = Call<PostUrl>;

/// A server function whose arguments travel like this, and whose answer is JSON.
pub struct Call<Arguments>(PhantomData<Arguments>);

impl<Arguments, Input, Output, C, S> Protocol<Input, Output, C, S, ErrorResponse>
    for Call<Arguments>
where
    Arguments: codec::Encoding,
    Input: Serialize + DeserializeOwned + FromReq<Arguments, S::Request, ErrorResponse> + Send,
    Output: DeserializeOwned + IntoRes<Post<Encoding>, S::Response, ErrorResponse> + Send,
    C: Client<ErrorResponse>,
    S: Server<ErrorResponse>,
{
    const METHOD: Method = Arguments::METHOD;

    async fn run_server<F, Fut>(request: S::Request, run: F) -> Result<S::Response, ErrorResponse>
    where
        F: Fn(Input) -> Fut + Send,
        Fut: Future<Output = Result<Output, ErrorResponse>> + Send,
    {
        let posted = Arguments::METHOD == Method::POST;
        let arguments = if posted && request.to_content_type().is_some_and(|kind| is_json(&kind)) {
            read_json(&request.try_into_string().await?)?
        } else {
            Input::from_req(request).await?
        };
        let answer = run(arguments).await?;
        answer.into_res().await
    }

    async fn run_client(path: &str, arguments: Input) -> Result<Output, ErrorResponse> {
        let form =
            serde_qs::to_string(&arguments).map_err(|_| ApiError::of_code(Code::Internal))?;
        drop(arguments);
        let answer = send(Arguments::METHOD == Method::GET, path, form).await?;
        json::read(&answer).map_err(|_: DecodeError| ApiError::of_code(Code::Internal).into())
    }
}

/// Returns whether a `Content-Type` is JSON, with or without parameters.
fn is_json(content_type: &str) -> bool {
    let kind = content_type.split(';').next().unwrap_or_default();
    kind.trim().eq_ignore_ascii_case(Encoding::CONTENT_TYPE)
}

/// Reads arguments from JSON. Nothing at all is an object without fields.
fn read_json<Input: DeserializeOwned>(body: &str) -> Result<Input, ErrorResponse> {
    let body = if body.trim().is_empty() { "{}" } else { body };
    serde_json::from_str(body).map_err(|error| {
        ErrorResponse::from_server_fn_error(ServerFnErrorErr::Args(error.to_string()))
    })
}

/// Posts a form to a server function whose answer nobody reads. In a browser.
///
/// The function's own client would be code of its own for each function; this code is one for all.
pub(crate) async fn post(path: &'static str, form: String) -> Result<(), ErrorResponse> {
    send(false, path, form).await.map(drop)
}

type Answered = Pin<Box<dyn Future<Output = Result<String, ErrorResponse>>>>;

/// Sends a request and gives the body of its answer. In a browser.
///
/// The function is not generic, so that there is one of it. A browser has one thread, where everything may be sent to it.
fn send(get: bool, path: &str, form: String) -> SendWrapper<Answered> {
    let request = RequestInit::new();
    let address = if get {
        format!("{path}?{form}")
    } else {
        request.set_method("POST");
        request.set_body(&JsValue::from_str(&form));
        path.to_owned()
    };
    SendWrapper::new(Box::pin(async move {
        let answer = fetch(&address, &request).await;
        // A server that cannot be reached, or breaks off, may be there again in a moment.
        let answer = answer.map_err(|_| ApiError::of_code(Code::Unavailable))?;
        if answer.ok {
            Ok(answer.body)
        } else {
            let mut error = read_error(&answer.body);
            error.0.retry_after = answer.retry_after;
            Err(error)
        }
    }))
}

/// Reads an error answer. An answer that is none of ours is of a server between us and the browser, such as a proxy while the
/// server starts anew.
fn read_error(body: &str) -> ErrorResponse {
    json::read(body).unwrap_or_else(|_| ApiError::of_code(Code::Unavailable).into())
}

/// An answer, read in full.
struct Fetched {
    /// Whether the answer is a success.
    ok: bool,
    body: String,
    /// The header `Retry-After`, in seconds.
    retry_after: Option<u32>,
}

/// Sends a request and reads its answer.
async fn fetch(address: &str, request: &RequestInit) -> Result<Fetched, JsValue> {
    let headers = Headers::new()?;
    headers.set("Content-Type", PostUrl::CONTENT_TYPE)?;
    headers.set("Accept", Encoding::CONTENT_TYPE)?;
    request.set_headers(&headers);
    let answer = leptos::prelude::window()
        .fetch_with_str_and_init(address, request)
        .await?;
    let answer: Response = answer.unchecked_into();
    let body = answer.text()?.await?;
    let retry_after = answer.headers().get("Retry-After").ok().flatten();
    Ok(Fetched {
        ok: answer.status() < 400,
        body: body.as_string().unwrap_or_default(),
        retry_after: retry_after.and_then(|seconds| seconds.parse().ok()),
    })
}

/// JSON, written and read by `serde_json`. Where a browser reads an answer, [`json`] does.
pub struct Encoding;

impl ContentType for Encoding {
    const CONTENT_TYPE: &'static str = "application/json";
}

impl FormatType for Encoding {
    const FORMAT_TYPE: Format = Format::Text;
}

impl<T: Serialize> Encodes<T> for Encoding {
    type Error = EncodeError;

    fn encode(answer: &T) -> Result<Bytes, EncodeError> {
        serde_json::to_vec(answer)
            .map(Bytes::from)
            .map_err(|_| EncodeError)
    }
}

/// Decodes the error of a form in an address, which anybody may write. Only the server does so.
impl<T: DeserializeOwned> Decodes<T> for Encoding {
    type Error = serde_json::Error;

    fn decode(answer: Bytes) -> Result<T, serde_json::Error> {
        serde_json::from_slice(&answer)
    }
}

/// The error of an answer that cannot be written as JSON. The error of `serde_json` would bring the sentences of its reader
/// along.
#[derive(Debug)]
pub struct EncodeError;

impl fmt::Display for EncodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the answer cannot be written as JSON")
    }
}

impl FromServerFnError for ErrorResponse {
    type Encoder = Encoding;

    /// Reads an error in an address, on the server. An error that is none of ours is read as one without information.
    fn de(data: leptos::server_fn::Bytes) -> Self {
        Encoding::decode(data).unwrap_or_else(|_| Self(ApiError::of_code(Code::Unavailable)))
    }

    fn from_server_fn_error(error: ServerFnErrorErr) -> Self {
        match error {
            ServerFnErrorErr::Args(what)
            | ServerFnErrorErr::MissingArg(what)
            | ServerFnErrorErr::Deserialization(what) => {
                // It is repeated in the address of a page, whose length has a limit.
                let told: String = what.chars().take(limits::ERROR_DETAIL_MAX_CHARS).collect();
                Self(ApiError::from(Code::BadRequest).with_message(told))
            }
            // The browser could not reach us.
            ServerFnErrorErr::Request(_) | ServerFnErrorErr::Response(_) => {
                Code::Unavailable.into()
            }
            _ => Code::Internal.into(),
        }
    }
}
