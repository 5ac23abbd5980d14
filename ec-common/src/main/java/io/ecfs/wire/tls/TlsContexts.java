package io.ecfs.wire.tls;

import io.ecfs.config.PemFiles;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.Optional;
import javax.net.ssl.SSLException;

/** Loads the files that {@link TlsOptions} and {@link ClientTls} name; each failure says which could not be used. */
public final class TlsContexts {
    private static final String[] PROTOCOLS = {"TLSv1.3", "TLSv1.2"};

    private TlsContexts() {}

    public static SslContext server(TlsOptions options) throws EcfsException {
        X509Certificate[] chain = PemFiles.chain("tls.certificate", options.certificate());
        PrivateKey key = PemFiles.key("tls.key", options.key(), chain[0]);
        X509Certificate[] authority = PemFiles.certificates("tls.authority", options.authority());
        SslProvider provider = provider(options.provider());
        try {
            return SslContextBuilder.forServer(key, chain)
                    .trustManager(authority)
                    .clientAuth(options.everybodyShowsACertificate() ? ClientAuth.REQUIRE : ClientAuth.OPTIONAL)
                    .sslProvider(provider)
                    .protocols(PROTOCOLS)
                    .build();
        } catch (SSLException | IllegalArgumentException e) {
            throw unusable(e);
        }
    }

    /** The context checks the server's name against its certificate. */
    public static SslContext client(ClientTls options) throws EcfsException {
        X509Certificate[] authority = PemFiles.certificates("tls.authority", options.authority());
        SslContextBuilder builder = SslContextBuilder.forClient()
                .trustManager(authority)
                .sslProvider(provider(options.provider()))
                .endpointIdentificationAlgorithm("HTTPS")
                .protocols(PROTOCOLS);
        if (options.certificate().isPresent()) {
            X509Certificate[] chain =
                    PemFiles.chain("tls.certificate", options.certificate().get());
            builder.keyManager(PemFiles.key("tls.key", options.key().orElseThrow(), chain[0]), chain);
        }
        try {
            return builder.build();
        } catch (SSLException | IllegalArgumentException e) {
            throw unusable(e);
        }
    }

    private static SslProvider provider(Optional<TlsOptions.Provider> wanted) throws EcfsException {
        if (wanted.orElse(TlsOptions.Provider.JDK) == TlsOptions.Provider.JDK) {
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

    private static EcfsException unusable(Exception e) {
        return new EcfsException(ErrorCode.INVALID_ARGUMENT, "TLS cannot be set up: " + TlsRefusal.words(e), e);
    }
}
