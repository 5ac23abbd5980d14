package io.ecfs.config;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the PEM files of TLS and refuses in one line, with the setting and the file, what could only fail later and
 * less clearly: a file that is not there, holds something else, has expired, or a key of another certificate.
 */
public final class PemFiles {
    private static final Pattern KEY =
            Pattern.compile("-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END PRIVATE KEY-----");
    private static final String OTHER_KEY = "PRIVATE KEY-----";
    private static final int MAX_BYTES = 1 << 20;
    private static final byte[] PROBE = "does the key fit the certificate?".getBytes(StandardCharsets.US_ASCII);

    private PemFiles() {}

    /** Certificates of a file, at least one: authorities, or an own chain. */
    public static X509Certificate[] certificates(String setting, Path file) throws EcfsException {
        byte[] pem = bytes(setting, file);
        X509Certificate[] found;
        try {
            found = CertificateFactory.getInstance("X.509").generateCertificates(new ByteArrayInputStream(pem)).stream()
                    .map(X509Certificate.class::cast)
                    .toArray(X509Certificate[]::new);
        } catch (CertificateException e) {
            throw unusable(setting, file, "holds no certificates in PEM form", e);
        }
        if (found.length == 0) {
            throw unusable(setting, file, "holds no certificates in PEM form", null);
        }
        return found;
    }

    /** As {@link #certificates} for the own chain, which must be valid now. */
    public static X509Certificate[] chain(String setting, Path file) throws EcfsException {
        X509Certificate[] chain = certificates(setting, file);
        try {
            chain[0].checkValidity();
        } catch (CertificateException e) {
            String when = e instanceof CertificateExpiredException
                    ? "expired on " + chain[0].getNotAfter().toInstant()
                    : "is not valid before " + chain[0].getNotBefore().toInstant();
            throw unusable(setting, file, when, e);
        }
        return chain;
    }

    /** @param certificate that the key must be of */
    public static PrivateKey key(String setting, Path file, X509Certificate certificate) throws EcfsException {
        String pem = new String(bytes(setting, file), StandardCharsets.ISO_8859_1);
        Matcher block = KEY.matcher(pem);
        if (!block.find()) {
            throw unusable(
                    setting,
                    file,
                    pem.contains(OTHER_KEY)
                            ? "is not PKCS#8 without passphrase: convert it with 'openssl pkcs8 -topk8 -nocrypt -in "
                                    + file + "'"
                            : "holds no private key in PEM form",
                    null);
        }
        PublicKey owner = certificate.getPublicKey();
        try {
            byte[] encoded = Base64.getMimeDecoder().decode(block.group(1));
            PrivateKey key =
                    KeyFactory.getInstance(owner.getAlgorithm()).generatePrivate(new PKCS8EncodedKeySpec(encoded));
            if (fits(key, owner)) {
                return key;
            }
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw unusable(setting, file, "does not belong to the certificate beside it", e);
        }
        throw unusable(setting, file, "does not belong to the certificate beside it", null);
    }

    private static boolean fits(PrivateKey key, PublicKey owner) throws GeneralSecurityException {
        String algorithm = switch (owner.getAlgorithm()) {
            case "RSA" -> "SHA256withRSA";
            case "EC" -> "SHA256withECDSA";
            default -> owner.getAlgorithm(); // EdDSA, and what names its own scheme
        };
        Signature signature = Signature.getInstance(algorithm);
        signature.initSign(key);
        signature.update(PROBE);
        byte[] signed = signature.sign();
        signature.initVerify(owner);
        signature.update(PROBE);
        return signature.verify(signed);
    }

    private static byte[] bytes(String setting, Path file) throws EcfsException {
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(MAX_BYTES);
            if (in.read() >= 0) {
                throw unusable(setting, file, "is longer than a PEM file with certificates or a key", null);
            }
            return bytes;
        } catch (EcfsException e) {
            throw e;
        } catch (NoSuchFileException e) {
            throw unusable(setting, file, "does not exist", e);
        } catch (AccessDeniedException e) {
            throw unusable(setting, file, "may not be read by the user of this process", e);
        } catch (IOException e) {
            throw unusable(setting, file, "cannot be read (" + e.getMessage() + ")", e);
        }
    }

    private static EcfsException unusable(String setting, Path file, String why, Exception cause) {
        return new EcfsException(ErrorCode.INVALID_ARGUMENT, setting + " " + file + " " + why, cause);
    }
}
