package io.ecfs.wire;

import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;

/**
 * TLS for both directions: every peer shows its certificate and checks the other's against the cluster's own authority (mutual TLS).
 *
 * @param certificate PEM file, the peer's chain; its subject alternative names hold the hosts it is called by
 * @param key PEM file, PKCS#8, without passphrase
 * @param authority PEM file, the certificates that peers must be signed by
 * @param provider empty: the JDK
 */
public record TlsOptions(Path certificate, Path key, Path authority, Optional<Provider> provider) {
    /** Who does the cryptography. */
    public enum Provider {
        /** The JDK's own; always there. */
        JDK,
        /** OpenSSL or BoringSSL through netty-tcnative, which must be on the class path. */
        OPENSSL
    }

    public TlsOptions {
        Objects.requireNonNull(certificate, "certificate");
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(authority, "authority");
        Objects.requireNonNull(provider, "provider");
    }
}
