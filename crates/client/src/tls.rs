//! TLS: the certificate authorities that a client trusts. `ring` provides the cryptography.

use crate::error::Error;
use rustls::crypto::ring;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;
use rustls::{ClientConfig, RootCertStore};
use std::sync::Arc;

/// The configuration for a server at this address: the certificate authorities that this machine knows, and these.
pub(crate) fn config(
    server: &str,
    own_roots: &[CertificateDer<'static>],
) -> Result<ClientConfig, Error> {
    let mut roots = RootCertStore::empty();
    // Reading the files of the machine takes a while, and redirects are not followed.
    if uses_tls(server) {
        let system = rustls_native_certs::load_native_certs();
        roots.add_parsable_certificates(system.certs);
        for root in own_roots {
            let added = roots.add(root.clone());
            added.map_err(|error| Error::Certificates(error.to_string()))?;
        }
        if roots.is_empty() {
            let why = system.errors.first().map(ToString::to_string);
            let why = why.unwrap_or_else(|| "this machine has no certificate authorities".into());
            return Err(Error::Certificates(why));
        }
    }
    let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(|error| Error::Certificates(error.to_string()))?;
    Ok(config.with_root_certificates(roots).with_no_client_auth())
}

fn uses_tls(server: &str) -> bool {
    let scheme = server.split("://").next().unwrap_or_default();
    scheme.eq_ignore_ascii_case("https")
}

/// The certificates of a PEM file; there is at least one.
pub(crate) fn read_certificates(pem: &str) -> Result<Vec<CertificateDer<'static>>, Error> {
    let read: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(pem.as_bytes()).collect();
    match read {
        Ok(certificates) if !certificates.is_empty() => Ok(certificates),
        Ok(_) => Err(Error::Certificates("there is none in this text".into())),
        Err(error) => Err(Error::Certificates(error.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_without_a_certificate_is_refused() {
        for pem in [
            "",
            "tochki",
            "-----BEGIN CERTIFICATE-----\n!\n-----END CERTIFICATE-----\n",
        ] {
            let error = read_certificates(pem).unwrap_err();
            assert!(matches!(error, Error::Certificates(_)), "{error}");
        }
        let nonsense = CertificateDer::from(vec![1, 2, 3]);
        let error = config("https://tochki.example", &[nonsense]).unwrap_err();
        assert!(matches!(error, Error::Certificates(_)), "{error}");
    }

    #[test]
    fn only_https_uses_tls() {
        assert!(uses_tls("https://a") && uses_tls("HTTPS://a:4430"));
        assert!(!uses_tls("http://https.example") && !uses_tls(""));
    }
}
