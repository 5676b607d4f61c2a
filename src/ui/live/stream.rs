//! The page's one event stream: kept open, and opened again when it dies. It ends with the document.

use leptos::prelude::*;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Duration;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{CustomEvent, CustomEventInit, Event, EventSource, MessageEvent};

/// What is said, in the waiting rooms as at a table, is no matter of the islands.
const SAID: &str = "said";

/// What is heard on a stream.
pub(crate) enum Heard {
    /// The line stands (again).
    Open,
    /// The line is lost; it is being looked for.
    Lost,
    /// An event of one of the names listened for.
    Event {
        /// Its name.
        name: String,
        /// Its version. What has none comes with that of the event before it, if there was one.
        version: Option<u32>,
        /// Its body.
        body: String,
    },
}

/// Listens for as long as the document lives. For effects and handlers: the server has no stream to open.
///
/// `address` is asked for anew on every connection, so that a stream can go on from where it was cut.
pub(crate) fn listen(
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
    });
    stream.connect();
    let line = Line(StoredValue::new_local(stream));
    // A browser tells when it has lost its network and when it has it again, sooner than a silent line does.
    let _ = window_event_listener(leptos::ev::offline, move |_| line.hear_lost());
    let _ = window_event_listener(leptos::ev::online, move |_| line.renew());
    line
}

/// A stream that is being listened to.
#[derive(Clone, Copy)]
pub(crate) struct Line(StoredValue<Rc<Stream>, LocalStorage>);

impl Line {
    /// Opens it anew, whatever has become of it.
    pub(crate) fn renew(self) {
        self.0.with_value(Stream::connect);
    }

    fn hear_lost(self) {
        self.0.with_value(|stream| (stream.hear)(Heard::Lost));
    }
}

struct Stream {
    address: Box<dyn Fn() -> String>,
    names: Vec<&'static str>,
    hear: Box<dyn Fn(Heard)>,
    /// What is called on each connection keeps the stream alive.
    source: RefCell<Option<Source>>,
    /// Connections in a row that came to nothing.
    failures: Cell<u32>,
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
        let Ok(events) = EventSource::new(&(self.address)()) else {
            return;
        };
        let stream = Rc::clone(self);
        let message = Closure::new(move |message: MessageEvent| stream.message(&message));
        for name in self.names.iter().chain(&[SAID]) {
            let _ = events.add_event_listener_with_callback(name, message.as_ref().unchecked_ref());
        }
        let stream = Rc::clone(self);
        let change = Closure::new(move |event: Event| stream.change(&event));
        events.set_onopen(Some(change.as_ref().unchecked_ref()));
        events.set_onerror(Some(change.as_ref().unchecked_ref()));
        self.source.replace(Some(Source {
            events,
            _message: message,
            _change: change,
        }));
    }

    fn message(&self, message: &MessageEvent) {
        if message.type_() == SAID {
            pass_on(message);
            return;
        }
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
        let closed = |source: &Source| source.events.ready_state() == EventSource::CLOSED;
        if self.source.borrow().as_ref().is_none_or(closed) {
            let failures = self.failures.get();
            self.failures.set(failures + 1);
            let stream = Rc::clone(self);
            set_timeout(move || stream.connect(), pause(failures));
        }
    }
}

/// Lets `public/chat.js` hear what has been said.
fn pass_on(said: &MessageEvent) {
    let init = CustomEventInit::new();
    init.set_detail(&said.data());
    // A page that cannot tell itself of it shows it when it is loaded the next time.
    let _ = CustomEvent::new_with_event_init_dict(SAID, &init)
        .map(|event| document().dispatch_event(&event));
}

/// How long to wait after so many failures: one second, doubling up to ten, so that whoever is at a table when a server
/// comes back is at it again before they are missed.
pub(crate) fn pause(failures: u32) -> Duration {
    Duration::from_secs(10.min(1 << failures.min(4)))
}
