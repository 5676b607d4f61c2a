//! The page's one event stream: kept open, opened again when it dies, closed with the page.

use leptos::prelude::*;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Duration;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{Event, EventSource, MessageEvent};

/// What is heard on a stream.
pub(super) enum Heard {
    /// The line stands (again).
    Open,
    /// The line is lost; it is being looked for.
    Lost,
    /// An event of one of the names listened for.
    Event {
        /// Its name.
        name: String,
        /// Its version, where it has one.
        version: Option<u32>,
        /// Its body.
        body: String,
    },
}

/// Listens until the present owner is cleaned up. For effects and handlers: the server has no stream to open.
///
/// `address` is asked for anew on every connection, so that a stream can go on from where it was cut.
pub(super) fn listen(
    address: impl Fn() -> String + 'static,
    names: &[&'static str],
    hear: impl Fn(Heard) + 'static,
) -> Line {
    let stream = Rc::new(Stream {
        address: Box::new(address),
        names: names.to_vec(),
        hear: Box::new(hear),
        source: RefCell::new(None),
        failures: Cell::new(0),
        closed: Cell::new(false),
    });
    stream.connect();
    let stream = StoredValue::new_local(stream);
    on_cleanup(move || {
        stream.try_with_value(|stream| stream.close());
    });
    let line = Line(stream);
    // A browser tells when it has lost its network and when it has it again, sooner than a silent line does.
    let back = window_event_listener(leptos::ev::online, move |_| line.renew());
    let gone = window_event_listener(leptos::ev::offline, move |_| {
        stream.try_with_value(|stream| (stream.hear)(Heard::Lost));
    });
    on_cleanup(move || {
        back.remove();
        gone.remove();
    });
    line
}

/// A stream that is being listened to.
#[derive(Clone, Copy)]
pub(super) struct Line(StoredValue<Rc<Stream>, LocalStorage>);

impl Line {
    /// Opens it anew, whatever has become of it.
    pub(super) fn renew(self) {
        self.0.try_with_value(Stream::connect);
    }
}

struct Stream {
    address: Box<dyn Fn() -> String>,
    names: Vec<&'static str>,
    hear: Box<dyn Fn(Heard)>,
    source: RefCell<Option<Source>>,
    /// Connections in a row that came to nothing.
    failures: Cell<u32>,
    closed: Cell<bool>,
}

/// An open connection and what it calls; both live and die together.
struct Source {
    events: EventSource,
    _message: Closure<dyn FnMut(MessageEvent)>,
    _change: Closure<dyn FnMut(Event)>,
}

impl Drop for Source {
    fn drop(&mut self) {
        self.events.close();
    }
}

impl Stream {
    fn connect(self: &Rc<Self>) {
        if self.closed.get() {
            return;
        }
        let Ok(events) = EventSource::new(&(self.address)()) else {
            return;
        };

        let stream = Rc::downgrade(self);
        let message = Closure::new(move |message: MessageEvent| {
            if let Some(stream) = stream.upgrade() {
                stream.message(&message);
            }
        });
        for name in &self.names {
            let _ = events.add_event_listener_with_callback(name, message.as_ref().unchecked_ref());
        }

        let stream = Rc::downgrade(self);
        let change = Closure::new(move |event: Event| {
            if let Some(stream) = stream.upgrade() {
                stream.change(&event);
            }
        });
        events.set_onopen(Some(change.as_ref().unchecked_ref()));
        events.set_onerror(Some(change.as_ref().unchecked_ref()));

        self.source.replace(Some(Source {
            events,
            _message: message,
            _change: change,
        }));
    }

    fn message(&self, message: &MessageEvent) {
        (self.hear)(Heard::Event {
            name: message.type_(),
            version: message.last_event_id().parse().ok(),
            body: message.data().as_string().unwrap_or_default(),
        });
    }

    /// The line came up or went down. A browser reconnects by itself, unless the server has refused: then we do.
    fn change(self: &Rc<Self>, event: &Event) {
        if event.type_() == "open" {
            self.failures.set(0);
            (self.hear)(Heard::Open);
            return;
        }
        (self.hear)(Heard::Lost);
        let refused = self
            .source
            .borrow()
            .as_ref()
            .is_none_or(|source| source.events.ready_state() == EventSource::CLOSED);
        if refused {
            let stream = Rc::downgrade(self);
            set_timeout(
                move || {
                    if let Some(stream) = stream.upgrade() {
                        stream.connect();
                    }
                },
                pause(self.failures.replace(self.failures.get() + 1)),
            );
        }
    }

    fn close(&self) {
        self.closed.set(true);
        self.source.replace(None);
    }
}

/// How long to wait after so many failures: one second, doubling up to half a minute.
pub(super) fn pause(failures: u32) -> Duration {
    Duration::from_secs(30.min(1 << failures.min(5)))
}
