//! A call of a server function from a form: whether it is pending, and its last error.

use crate::codec;
use crate::error::ErrorResponse;
use leptos::prelude::*;
use leptos::server::ServerActionError;
use leptos::server_fn::ServerFn;
use leptos::server_fn::error::ServerFnUrlError;
use leptos::task::spawn_local;
use std::pin::Pin;
use tochki_protocol::limits;

/// Calls of one kind; at most one is pending.
#[derive(Clone, Copy)]
pub(crate) struct FormAction {
    /// Whether an answer is awaited.
    pub(crate) pending: RwSignal<bool>,
    /// The error of the last call.
    pub(crate) error: RwSignal<Option<ErrorResponse>>,
}

impl FormAction {
    /// Creates an action with nothing pending; `error` is that of a form posted without scripts.
    pub(crate) fn new(error: Option<ErrorResponse>) -> Self {
        Self {
            pending: RwSignal::new(false),
            error: RwSignal::new(error),
        }
    }

    /// Makes the call, then runs `then` with its answer. Ignored while a call is pending. For event handlers.
    pub(crate) fn dispatch<T: 'static>(
        self,
        call: impl Future<Output = Result<T, ErrorResponse>> + 'static,
        then: impl FnOnce(T) + 'static,
    ) {
        if self.pending.get_untracked() {
            return;
        }
        self.pending.set(true);
        self.error.set(None);
        self.start(Box::pin(async move {
            let answer = call.await?;
            Ok(Box::new(move || then(answer)) as Box<dyn FnOnce()>)
        }));
    }

    /// Posts a form whose answer nobody reads, because an event follows. Ignored while a call is pending.
    pub(crate) fn post(self, url: &'static str, form: String) {
        if self.pending.get_untracked() {
            return;
        }
        self.pending.set(true);
        self.error.set(None);
        self.start(Box::pin(async move {
            codec::post(url, form).await?;
            Ok(Box::new(|| ()) as Box<dyn FnOnce()>)
        }));
    }

    /// Starts a call: the part that is the same for all calls, so that it is compiled once.
    fn start(self, call: Call) {
        spawn_local(async move {
            let answer = call.await;
            self.pending.set(false);
            match answer {
                Ok(then) => then(),
                Err(error) => self.error.set(Some(error)),
            }
        });
    }
}

/// A call, whose result is the function that handles its answer.
type Call = Pin<Box<dyn Future<Output = Result<Box<dyn FnOnce()>, ErrorResponse>>>>;

/// Returns the error of this server function's form, if it was posted without scripts. The server sends the form back with the
/// error in the URL. Anybody can write such a URL, so an error that is longer than any of ours is ignored.
pub(crate) fn form_error<S: ServerFn>() -> Option<ErrorResponse> {
    let error = use_context::<ServerActionError>()?;
    let is_ours = error.path() == S::PATH && error.err().len() <= limits::FORM_ERROR_MAX_BYTES;
    is_ours.then(|| ServerFnUrlError::decode_err(error.err()))
}
