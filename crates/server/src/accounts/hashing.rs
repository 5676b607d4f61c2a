//! Hashing passwords on a fixed set of threads.
//!
//! Each thread keeps the memory that argon2 works in, so hashing leaves nothing with the allocator. Jobs wait in two
//! bounded queues, of signing in and of registering, which are served in turn: however many register, nobody waits behind
//! more than one of them for signing in.

use crate::secrets::{Password, SessionToken};
use crate::settings::HashingCost;
use crate::{Error, traces};
use argon2::password_hash::phc::{Output, ParamsString, PasswordHash, Salt};
use argon2::{Algorithm, Argon2, Block, Params, Version};
use rand::TryRng as _;
use rand::rngs::SysRng;
use std::collections::VecDeque;
use std::sync::{Arc, Condvar, LazyLock, Mutex, MutexGuard};
use tochki_protocol::{Code, limits};
use tokio::sync::oneshot;
use tracing::Instrument as _;

/// Purpose of hashing a password; each has its queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// Checking the password of an account.
    SignIn,
    /// Storing a new password.
    Registration,
}

/// The memory of a thread.
type Memory = Vec<Block>;

/// A job. It returns at once if its result is no longer awaited.
type Job = Box<dyn FnOnce(&mut Memory) + Send>;

#[derive(Default)]
struct Queues {
    sign_in: VecDeque<Job>,
    registration: VecDeque<Job>,
    /// Whether registration is served next, if both wait.
    registration_is_next: bool,
    closed: bool,
}

#[derive(Default)]
struct Shared {
    /// Held to put or take a job, never while hashing.
    queues: Mutex<Queues>,
    changed: Condvar,
}

/// The threads. They end when the last clone is dropped.
#[derive(Clone)]
pub(crate) struct Hashing {
    threads: Arc<Threads>,
    cost: HashingCost,
}

struct Threads(Arc<Shared>);

impl Hashing {
    /// Starts so many threads, which hash new passwords at this cost.
    pub(crate) fn start(threads: usize, cost: HashingCost) -> Self {
        let shared = Arc::new(Shared::default());
        for number in 0..threads {
            let shared = Arc::clone(&shared);
            let thread = std::thread::Builder::new().name(format!("hashing-{number}"));
            thread
                .spawn(move || shared.work())
                .expect("the system has threads");
        }
        Self {
            threads: Arc::new(Threads(shared)),
            cost,
        }
    }

    /// The hash of a new password, as a PHC string.
    pub(crate) async fn hash(&self, password: Password) -> Result<String, Error> {
        let cost = self.cost;
        let hashed = self.run(Purpose::Registration, move |memory| {
            hash_with(password.bytes(), cost, memory)
        });
        hashed
            .await?
            .map_err(|error| Error::invariant(format!("a password could not be hashed: {error}")))
    }

    /// Verifies a password; without a hash against one that no password has, so that both refusals take equally long.
    pub(crate) async fn verify(
        &self,
        password: Password,
        hash: Option<String>,
    ) -> Result<bool, Error> {
        let cost = self.cost;
        self.run(Purpose::SignIn, move |memory| {
            let hash = hash.as_deref().unwrap_or_else(|| unmatchable_hash(cost));
            matches(password.bytes(), hash, memory).unwrap_or(false)
        })
        .await
    }

    /// Number of waiting jobs.
    pub(crate) fn waiting(&self) -> usize {
        let queues = self.threads.0.lock();
        queues.sign_in.len() + queues.registration.len()
    }

    /// Runs a job.
    ///
    /// # Errors
    /// `unavailable` when the queue is full, or the job has not been done in time.
    async fn run<T: Send + 'static>(
        &self,
        purpose: Purpose,
        work: impl FnOnce(&mut Memory) -> T + Send + 'static,
    ) -> Result<T, Error> {
        let (sender, receiver) = oneshot::channel();
        let job: Job = Box::new(move |memory| {
            if !sender.is_closed() {
                let _ = sender.send(work(memory));
            }
        });
        if !self.threads.0.push(purpose, job) {
            return Err(Code::Unavailable.into());
        }
        tokio::time::timeout(limits::HASHING_TIMEOUT, receiver)
            .instrument(traces::hash_password())
            .await
            .map_err(|_| Code::Unavailable)?
            .map_err(|_| Error::invariant("a hashing job panicked"))
    }
}

impl Drop for Threads {
    fn drop(&mut self) {
        self.0.lock().closed = true;
        self.0.changed.notify_all();
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Queues> {
        self.queues.lock().expect("no panic while the lock is held")
    }

    /// Queues a job, unless the queue is full.
    fn push(&self, purpose: Purpose, job: Job) -> bool {
        let mut queues = self.lock();
        let queue = match purpose {
            Purpose::SignIn => &mut queues.sign_in,
            Purpose::Registration => &mut queues.registration,
        };
        if queue.len() >= limits::HASHING_QUEUE_LEN {
            return false;
        }
        queue.push_back(job);
        self.changed.notify_one();
        true
    }

    fn work(&self) {
        let mut memory = Memory::new();
        while let Some(job) = self.next_job() {
            // A job that panics drops its sender, and the thread goes on with the next.
            let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| job(&mut memory)));
            if done.is_err() {
                tracing::error!("a hashing job panicked");
            }
        }
    }

    /// Waits for a job; `None` when the threads are to end.
    fn next_job(&self) -> Option<Job> {
        let mut queues = self.lock();
        loop {
            if queues.closed {
                return None;
            }
            if let Some(job) = queues.take() {
                return Some(job);
            }
            queues = self
                .changed
                .wait(queues)
                .expect("no panic while the lock is held");
        }
    }
}

impl Queues {
    /// The next job. While both queues have some, they take turns.
    fn take(&mut self) -> Option<Job> {
        let registration =
            self.registration_is_next && !self.registration.is_empty() || self.sign_in.is_empty();
        self.registration_is_next = !registration;
        if registration {
            self.registration.pop_front()
        } else {
            self.sign_in.pop_front()
        }
    }
}

/// Makes room for these parameters; a thread keeps it.
fn room<'a>(memory: &'a mut Memory, params: &Params) -> &'a mut [Block] {
    if memory.len() < params.block_count() {
        memory.resize(params.block_count(), Block::new());
    }
    &mut memory[..params.block_count()]
}

fn params(cost: HashingCost) -> Params {
    match cost {
        HashingCost::Recommended => Params::default(),
        HashingCost::Least => {
            let (memory, passes, lanes) =
                (Params::MIN_M_COST, Params::MIN_T_COST, Params::MIN_P_COST);
            Params::new(memory, passes, lanes, None).expect("each is in its range")
        }
    }
}

fn hash_with(
    password: &[u8],
    cost: HashingCost,
    memory: &mut Memory,
) -> Result<String, argon2::password_hash::Error> {
    let mut salt = [0_u8; argon2::RECOMMENDED_SALT_LEN];
    SysRng
        .try_fill_bytes(&mut salt)
        .expect("the system has a random source");
    let params = params(cost);
    let mut output = [0_u8; Params::DEFAULT_OUTPUT_LEN];
    let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, params.clone());
    let blocks = room(memory, &params);
    argon2.hash_password_into_with_memory(password, &salt, &mut output, blocks)?;
    let hash = PasswordHash {
        algorithm: Algorithm::Argon2id.ident(),
        version: Some(Version::V0x13.into()),
        params: ParamsString::try_from(&params)?,
        salt: Some(Salt::new(&salt)?),
        hash: Some(Output::new(&output)?),
    };
    Ok(hash.to_string())
}

/// Returns whether a stored hash is that of this password; `None` if it cannot be read.
fn matches(password: &[u8], hash: &str, memory: &mut Memory) -> Option<bool> {
    let hash = PasswordHash::new(hash).ok()?;
    let params = Params::try_from(&hash).ok()?;
    let version = Version::try_from(hash.version?).ok()?;
    let algorithm = Algorithm::try_from(hash.algorithm.as_str()).ok()?;
    let (salt, expected) = (hash.salt?, hash.hash?);
    let mut output = vec![0_u8; expected.len()];
    let blocks = room(memory, &params);
    Argon2::new(algorithm, version, params)
        .hash_password_into_with_memory(password, &salt, &mut output, blocks)
        .ok()?;
    // The comparison takes equally long wherever they differ.
    Some(Output::new(&output).ok()? == expected)
}

/// Returns a hash that no password has.
fn unmatchable_hash(cost: HashingCost) -> &'static str {
    static RECOMMENDED: LazyLock<String> = LazyLock::new(|| of_chance(HashingCost::Recommended));
    static LEAST: LazyLock<String> = LazyLock::new(|| of_chance(HashingCost::Least));
    fn of_chance(cost: HashingCost) -> String {
        let random = SessionToken::generate();
        hash_with(random.expose().as_bytes(), cost, &mut Memory::new()).unwrap_or_default()
    }
    match cost {
        HashingCost::Recommended => &RECOMMENDED,
        HashingCost::Least => &LEAST,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::secrets::TypedPassword;
    use argon2::PasswordHasher as _;

    fn typed(text: &str) -> Password {
        TypedPassword::of(text).normal
    }

    #[tokio::test]
    async fn a_password_matches_its_own_hash_alone() {
        let hashing = Hashing::start(1, HashingCost::Recommended);
        let hash = hashing.hash(typed("correct horse")).await.unwrap();
        assert!(
            hash.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"),
            "{hash}"
        );
        for (password, expected) in [
            ("correct horse", true),
            ("correct house", false),
            ("", false),
        ] {
            let verified = hashing.verify(typed(password), Some(hash.clone()));
            assert_eq!(verified.await.unwrap(), expected, "{password}");
        }
        for hash in [None, Some("nonsense".to_owned())] {
            assert!(!hashing.verify(typed(""), hash).await.unwrap());
        }
        // A hash of the plain interface of the crate, as older versions stored them.
        let old = Argon2::default()
            .hash_password(b"correct horse")
            .unwrap()
            .to_string();
        let verified = hashing.verify(typed("correct horse"), Some(old));
        assert!(verified.await.unwrap());
    }

    #[tokio::test]
    async fn a_hash_keeps_its_cost() {
        let least = Hashing::start(1, HashingCost::Least);
        let hash = least.hash(typed("correct horse")).await.unwrap();
        assert!(hash.starts_with("$argon2id$v=19$m=8,t=1,p=1$"), "{hash}");
        // Threads that hash at another cost verify it.
        let recommended = Hashing::start(1, HashingCost::Recommended);
        for hashing in [&least, &recommended] {
            for (password, expected) in [("correct horse", true), ("correct house", false)] {
                let verified = hashing.verify(typed(password), Some(hash.clone()));
                assert_eq!(verified.await.unwrap(), expected, "{password}");
            }
            assert!(!hashing.verify(typed(""), None).await.unwrap());
        }
        // What no account has is refused as slowly as a wrong password.
        assert!(unmatchable_hash(HashingCost::Recommended).contains("$m=19456,t=2,p=1$"));
    }

    #[tokio::test]
    async fn registrations_do_not_starve_signing_in() {
        let hashing = Hashing::start(1, HashingCost::Recommended);
        let order = Arc::new(Mutex::new(Vec::new()));
        // The thread is kept busy until all are queued.
        let (open, gate) = std::sync::mpsc::channel::<()>();
        let gate = hashing.run(Purpose::Registration, move |_| gate.recv());
        let mut gate = Box::pin(gate);
        assert!(futures::poll!(&mut gate).is_pending());
        let mut waiting = Vec::new();
        for (purpose, count) in [(Purpose::Registration, 100), (Purpose::SignIn, 3)] {
            for _ in 0..count {
                let order = order.clone();
                let mut job =
                    Box::pin(hashing.run(purpose, move |_| order.lock().unwrap().push(purpose)));
                assert!(futures::poll!(&mut job).is_pending());
                waiting.push(job);
            }
        }
        open.send(()).unwrap();
        for job in waiting {
            job.await.unwrap();
        }
        let order = order.lock().unwrap();
        let last = order
            .iter()
            .rposition(|purpose| *purpose == Purpose::SignIn);
        assert!(last.unwrap() < 6, "{:?}", &order[..8]);
    }

    #[tokio::test]
    async fn a_full_queue_is_unavailable_and_the_other_is_not() {
        let hashing = Hashing::start(1, HashingCost::Recommended);
        let (open, gate) = std::sync::mpsc::channel::<()>();
        let mut gate = Box::pin(hashing.run(Purpose::SignIn, move |_| gate.recv()));
        assert!(futures::poll!(&mut gate).is_pending());
        let mut waiting = Vec::new();
        let refused = loop {
            let mut job = Box::pin(hashing.run(Purpose::Registration, |_| ()));
            match futures::poll!(&mut job) {
                std::task::Poll::Pending => waiting.push(job),
                std::task::Poll::Ready(answer) => break answer,
            }
        };
        assert_eq!(refused.unwrap_err().code(), Code::Unavailable);
        assert_eq!(waiting.len(), limits::HASHING_QUEUE_LEN);
        let mut sign_in = Box::pin(hashing.run(Purpose::SignIn, |_| ()));
        assert!(futures::poll!(&mut sign_in).is_pending());
        open.send(()).unwrap();
        sign_in.await.unwrap();
    }

    #[tokio::test]
    async fn the_memory_of_a_thread_is_kept() {
        let hashing = Hashing::start(1, HashingCost::Recommended);
        let address = |memory: &mut Memory| (memory.as_ptr() as usize, memory.len());
        hashing.hash(typed("first")).await.unwrap();
        let before = hashing.run(Purpose::SignIn, address).await.unwrap();
        for _ in 0..3 {
            hashing.hash(typed("more")).await.unwrap();
        }
        assert_eq!(hashing.run(Purpose::SignIn, address).await.unwrap(), before);
        assert_eq!(before.1, Params::default().block_count());
    }
}
