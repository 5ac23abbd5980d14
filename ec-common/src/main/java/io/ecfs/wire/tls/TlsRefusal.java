package io.ecfs.wire.tls;

import java.io.IOException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.util.Optional;

/**
 * The cause of a failure to connect that comes again as long as both ends are set up as they are: one of them does not
 * trust the other, or only one speaks TLS.
 */
public final class TlsRefusal extends IOException {
    private static final long serialVersionUID = 1L;
    private static final int MAX_WORDS = 200;

    private TlsRefusal(Throwable cause) {
        super(words(cause), cause);
    }

    /** The refusal in a failure; empty for a transient failure, as a connection that broke. */
    public static Optional<TlsRefusal> in(Throwable failure) {
        Throwable root = root(failure);
        boolean lasting = root instanceof CertificateException
                || root instanceof CertPathBuilderException
                || root instanceof CertPathValidatorException
                || String.valueOf(root.getMessage()).contains("fatal alert");
        return lasting ? Optional.of(new TlsRefusal(root)) : Optional.empty();
    }

    /** The error and its remedy, for the end that connects; {@code host} is the name it connected to. */
    public String advice(String host) {
        Throwable root = root(this);
        String words = String.valueOf(getMessage());
        if (root instanceof CertificateExpiredException) {
            return "its certificate has expired (" + words + "): renew it there";
        }
        if (words.startsWith("No subject alternative") || words.startsWith("No name matching")) {
            return "its certificate is not for " + host + " (" + words
                    + "): call it by a name that its certificate has, or give it one for this name";
        }
        if (root instanceof CertPathBuilderException) {
            return "its certificate is not signed by the certificates of tls.authority (" + words + ")";
        }
        if (words.contains("fatal alert: protocol_version")) {
            return "it speaks no TLS (" + words + "): set wire.tls there, or no tls here";
        }
        if (words.contains("certificate_required") || words.contains("bad_certificate")) {
            return "it asks for a certificate of its authority (" + words
                    + "): set tls.certificate and tls.key, or wire.tls.clientCertificates: daemons there";
        }
        if (words.contains("fatal alert")) {
            return "it refuses this side's certificate (" + words + "): see its log";
        }
        return words;
    }

    /** The root cause in one short line. */
    public static String words(Throwable failure) {
        Throwable root = root(failure);
        String text = root.getMessage() == null ? root.getClass().getSimpleName() : root.getMessage();
        String line = text.lines().findFirst().orElse("").replaceAll("\\p{Cntrl}", "?");
        return line.length() <= MAX_WORDS ? line : line.substring(0, MAX_WORDS) + "...";
    }

    private static Throwable root(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root;
    }
}
