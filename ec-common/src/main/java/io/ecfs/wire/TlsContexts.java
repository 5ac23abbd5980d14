package io.ecfs.wire;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import javax.net.ssl.SSLException;

/** Loads the files that {@link TlsOptions} name; each failure says which could not be used. */
final class TlsContexts {
    private static final String[] PROTOCOLS = {"TLSv1.3", "TLSv1.2"};

    private TlsContexts() {}

    static SslContext server(TlsOptions options) throws EcfsException {
        try {
            return SslContextBuilder.forServer(
                            options.certificate().toFile(), options.key().toFile())
                    .trustManager(options.authority().toFile())
                    .clientAuth(ClientAuth.REQUIRE)
                    .sslProvider(provider(options))
                    .protocols(PROTOCOLS)
                    .build();
        } catch (SSLException | IllegalArgumentException e) {
            throw unusable(options, e);
        }
    }

    /** The context checks the server's name against its certificate. */
    static SslContext client(TlsOptions options) throws EcfsException {
        try {
            return SslContextBuilder.forClient()
                    .keyManager(options.certificate().toFile(), options.key().toFile())
                    .trustManager(options.authority().toFile())
                    .sslProvider(provider(options))
                    .endpointIdentificationAlgorithm("HTTPS")
                    .protocols(PROTOCOLS)
                    .build();
        } catch (SSLException | IllegalArgumentException e) {
            throw unusable(options, e);
        }
    }

    private static SslProvider provider(TlsOptions options) throws EcfsException {
        if (options.provider().orElse(TlsOptions.Provider.JDK) == TlsOptions.Provider.JDK) {
            return SslProvider.JDK;
        }
        if (!OpenSsl.isAvailable()) {
            throw new EcfsException(
                    ErrorCode.UNSUPPORTED,
                    "TLS provider OPENSSL needs netty-tcnative on the class path; add it or choose JDK",
                    OpenSsl.unavailabilityCause());
        }
        return SslProvider.OPENSSL;
    }

    private static EcfsException unusable(TlsOptions options, Exception e) {
        Throwable root = e;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return new EcfsException(
                ErrorCode.INVALID_ARGUMENT,
                "cannot use certificate " + options.certificate() + " with key " + options.key() + " and authority "
                        + options.authority() + ": " + root.getMessage(),
                e);
    }
}
