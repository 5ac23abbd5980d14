package io.ecfs.wire.tls;

import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;

/**
 * TLS of a daemon, in both directions: it shows its certificate to whoever connects and to whom it connects, and checks
 * those of others against the cluster's own authority.
 *
 * @param certificate PEM file, the daemon's chain; its subject alternative names hold the hosts it is called by
 * @param key PEM file, PKCS#8, without passphrase
 * @param authority PEM file, the certificates that peers must be signed by
 * @param clientCertificates who has to show a certificate to this daemon; empty: everybody
 * @param provider empty: the JDK
 */
public record TlsOptions(
        Path certificate,
        Path key,
        Path authority,
        Optional<ClientCertificates> clientCertificates,
        Optional<Provider> provider) {
    /** Who does the cryptography. */
    public enum Provider {
        /** The JDK's own; always there. */
        JDK,
        /** OpenSSL or BoringSSL through netty-tcnative, which must be on the class path. */
        OPENSSL
    }

    /** Who has to show a certificate to a daemon. One that is shown is checked in any case. */
    public enum ClientCertificates {
        /** Whoever connects. */
        REQUIRED,
        /** Who greets as a namenode or datanode. */
        DAEMONS
    }

    public TlsOptions {
        Objects.requireNonNull(certificate, "certificate");
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(authority, "authority");
        Objects.requireNonNull(clientCertificates, "clientCertificates");
        Objects.requireNonNull(provider, "provider");
    }

    /** True: a connection without one ends with the handshake. */
    boolean everybodyShowsACertificate() {
        return clientCertificates.orElse(ClientCertificates.REQUIRED) == ClientCertificates.REQUIRED;
    }

    /** The same for connections that this daemon opens. */
    public ClientTls asClient() {
        return new ClientTls(authority, Optional.of(certificate), Optional.of(key), provider);
    }
}
