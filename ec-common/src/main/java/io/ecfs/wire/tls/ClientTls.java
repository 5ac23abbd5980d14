package io.ecfs.wire.tls;

import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;

/**
 * TLS of who connects: the server's certificate must be signed by this authority and name the host that was called.
 *
 * @param authority PEM file, the certificates that servers must be signed by
 * @param certificate PEM file, the chain that is shown to servers which ask for one; with {@code key} or not at all
 * @param key PEM file, PKCS#8, without passphrase
 * @param provider empty: the JDK
 */
public record ClientTls(
        Path authority, Optional<Path> certificate, Optional<Path> key, Optional<TlsOptions.Provider> provider) {
    public ClientTls {
        Objects.requireNonNull(authority, "authority");
        Objects.requireNonNull(certificate, "certificate");
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(provider, "provider");
        if (certificate.isPresent() != key.isPresent()) {
            throw new IllegalArgumentException(
                    "certificate and key belong together: give both, or none where servers ask clients for none");
        }
    }

    /** TLS of the connections that a daemon opens; it presents the certificate that it has as a server. */
    public static ClientTls of(TlsOptions daemon) {
        return new ClientTls(
                daemon.authority(), Optional.of(daemon.certificate()), Optional.of(daemon.key()), daemon.provider());
    }
}
