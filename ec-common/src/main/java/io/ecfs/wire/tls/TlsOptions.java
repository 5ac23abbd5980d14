package io.ecfs.wire.tls;

import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;

/**
 * TLS of a daemon, in both directions: it presents its certificate as a server and as a client, and checks those of its
 * peers against the cluster's own authority.
 *
 * @param certificate PEM file, the daemon's chain; its subject alternative names hold the hosts it is called by
 * @param key PEM file, PKCS#8, without passphrase
 * @param authority PEM file, the certificates that peers must be signed by
 * @param clientCertificates peers that must present a certificate to this daemon; empty: all
 * @param provider empty: the JDK
 */
public record TlsOptions(
        Path certificate,
        Path key,
        Path authority,
        Optional<ClientCertificates> clientCertificates,
        Optional<Provider> provider) {
    /** Implementation of the cryptography. */
    public enum Provider {
        /** The JDK's own; always there. */
        JDK,
        /** OpenSSL or BoringSSL through netty-tcnative, which must be on the class path. */
        OPENSSL
    }

    /** Peers that must present a certificate to a daemon. One that is presented is checked in any case. */
    public enum ClientCertificates {
        /** All peers. */
        REQUIRED,
        /** Peers that greet as a namenode or datanode. */
        DAEMONS
    }

    public TlsOptions {
        Objects.requireNonNull(certificate, "certificate");
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(authority, "authority");
        Objects.requireNonNull(clientCertificates, "clientCertificates");
        Objects.requireNonNull(provider, "provider");
    }

    /** Returns whether the handshake of a connection without a certificate fails. */
    boolean everybodyShowsACertificate() {
        return clientCertificates.orElse(ClientCertificates.REQUIRED) == ClientCertificates.REQUIRED;
    }
}
