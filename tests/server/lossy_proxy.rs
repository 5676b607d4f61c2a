//! A proxy before the server that cuts connections, as a client sees a lost line.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, copy_bidirectional};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

/// The proxy, which ends with the runtime of its test.
pub(crate) struct LossyProxy {
    pub(crate) address: SocketAddr,
    cuts: watch::Sender<u32>,
    /// The number of the next answers that are lost on their way back.
    losing: Arc<AtomicU32>,
}

impl LossyProxy {
    pub(crate) async fn before(server: SocketAddr) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let proxy = Self {
            address: listener.local_addr().expect("an address"),
            cuts: watch::Sender::new(0),
            losing: Arc::default(),
        };
        let (cuts, losing) = (proxy.cuts.subscribe(), proxy.losing.clone());
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                tokio::spawn(pass(client, server, cuts.clone(), losing.clone()));
            }
        });
        proxy
    }

    /// Cuts all connections that are open.
    pub(crate) fn cut(&self) {
        self.cuts.send_modify(|cuts| *cuts += 1);
    }

    /// Lets the server carry out the next command, and loses its answer with the connection.
    pub(crate) fn lose_answer(&self) {
        self.cut();
        self.losing.fetch_add(1, Ordering::SeqCst);
    }

    /// Returns the number of answers that are still to be lost.
    pub(crate) fn to_lose(&self) -> u32 {
        self.losing.load(Ordering::SeqCst)
    }
}

async fn pass(
    mut client: TcpStream,
    server: SocketAddr,
    mut cuts: watch::Receiver<u32>,
    losing: Arc<AtomicU32>,
) {
    cuts.mark_unchanged();
    let passing = async {
        let mut server = TcpStream::connect(server).await?;
        let mut request = vec![0; 16 * 1024];
        let length = client.read(&mut request).await?;
        server.write_all(&request[..length]).await?;
        // Only a command: a stream would be opened again at once.
        if request.starts_with(b"POST ") {
            let one_less = |count: u32| count.checked_sub(1);
            let lost = losing.fetch_update(Ordering::SeqCst, Ordering::SeqCst, one_less);
            if lost.is_ok() {
                // It has been carried out when there is an answer.
                server.read_u8().await?;
                return Ok(());
            }
        }
        copy_bidirectional(&mut client, &mut server).await?;
        std::io::Result::Ok(())
    };
    tokio::select! {
        // A client that is cut off sees it by its own connection.
        _ = passing => {}
        _ = cuts.changed() => {}
    }
}
