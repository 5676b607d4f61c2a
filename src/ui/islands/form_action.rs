//! A call to the server that a form makes with scripts on: whether it is under way, and why it was refused.

use crate::error::ErrorResponse;
use leptos::prelude::*;
use leptos::server::ServerActionError;
use leptos::server_fn::ServerFn;
use leptos::server_fn::error::ServerFnUrlError;
use leptos::task::spawn_local;
use std::pin::Pin;

/// One kind of call of a page.
#[derive(Clone, Copy)]
pub(crate) struct FormAction {
    /// Whether an answer is awaited.
    pub(crate) under_way: RwSignal<bool>,
    /// Why the last one was refused.
    pub(crate) refused: RwSignal<Option<ErrorResponse>>,
}

impl FormAction {
    /// Nothing under way; `refused` is what came back from a form that was sent without scripts.
    pub(crate) fn new(refused: Option<ErrorResponse>) -> Self {
        Self {
            under_way: RwSignal::new(false),
            refused: RwSignal::new(refused),
        }
    }

    /// Makes the call, and goes on with its answer. For handlers.
    pub(crate) fn run<T: 'static>(
        self,
        call: impl Future<Output = Result<T, ErrorResponse>> + 'static,
        then: impl FnOnce(T) + 'static,
    ) {
        if self.under_way.get_untracked() {
            return;
        }
        self.under_way.set(true);
        self.refused.set(None);
        self.start(Box::pin(async move {
            let answer = call.await?;
            Ok(Box::new(move || then(answer)) as Box<dyn FnOnce()>)
        }));
    }

    /// The part that is the same for all calls, so that it is compiled once.
    fn start(self, call: Call) {
        spawn_local(async move {
            let answer = call.await;
            self.under_way.set(false);
            match answer {
                Ok(then) => then(),
                Err(error) => self.refused.set(Some(error)),
            }
        });
    }
}

/// A call, and how to go on with its answer.
type Call = Pin<Box<dyn Future<Output = Result<Box<dyn FnOnce()>, ErrorResponse>>>>;

/// Why the form of this server function was refused that was sent without scripts. The server reads it from the address
/// it has sent the form back to.
pub(crate) fn refused<S: ServerFn>() -> Option<ErrorResponse> {
    let error = use_context::<ServerActionError>()?;
    (error.path() == S::PATH).then(|| ServerFnUrlError::decode_err(error.err()))
}
