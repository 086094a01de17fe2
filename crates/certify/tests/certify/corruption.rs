//! Certificates from which something is missing.
