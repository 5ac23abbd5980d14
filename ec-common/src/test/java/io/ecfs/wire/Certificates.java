package io.ecfs.wire;

import io.ecfs.wire.tls.TlsOptions;
import java.io.IOException;
import java.io.StringWriter;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Date;
import java.util.Optional;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.openssl.jcajce.JcaPKCS8Generator;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** An authority of its own that signs certificates for 127.0.0.1, as PEM files in a directory. */
final class Certificates {
    private final Path directory;
    private final String name;
    private final KeyPair keys;
    private final Instant now = Instant.now();
    private Instant until = now.plus(1, ChronoUnit.DAYS);
    private String host = "127.0.0.1";
    private int serial;

    Certificates(Path directory, String name) throws Exception {
        this.directory = directory;
        this.name = name;
        this.keys = newKeys();
        write(authority(), certificate(name, keys, true));
    }

    /** From now on certificates are no longer valid since a day. */
    Certificates expired() {
        until = now.minus(1, ChronoUnit.DAYS);
        return this;
    }

    Certificates unexpired() {
        until = now.plus(1, ChronoUnit.DAYS);
        return this;
    }

    /** From now on certificates are for this address alone. */
    Certificates of(String address) {
        host = address;
        return this;
    }

    Path authority() {
        return directory.resolve(name + ".crt");
    }

    /** Options of a peer whose certificate this authority signed and that trusts {@code trusted}. */
    TlsOptions peer(String peer, Certificates trusted) throws Exception {
        KeyPair peerKeys = newKeys();
        Path certificate = directory.resolve(name + "-" + peer + ".crt");
        Path key = directory.resolve(name + "-" + peer + ".key");
        write(certificate, certificate(peer, peerKeys, false));
        write(key, new JcaPKCS8Generator(peerKeys.getPrivate(), null));
        return new TlsOptions(certificate, key, trusted.authority(), Optional.empty(), Optional.empty());
    }

    private X509CertificateHolder certificate(String subject, KeyPair subjectKeys, boolean authority)
            throws OperatorCreationException, IOException {
        X509v3CertificateBuilder builder = new JcaX509v3CertificateBuilder(
                new X500Name("CN=" + name),
                BigInteger.valueOf(++serial),
                Date.from(now.minus(2, ChronoUnit.DAYS)),
                Date.from(until),
                new X500Name("CN=" + subject),
                subjectKeys.getPublic());
        builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(authority));
        builder.addExtension(
                Extension.subjectAlternativeName,
                false,
                new GeneralNames(new GeneralName(GeneralName.iPAddress, host)));
        return builder.build(new JcaContentSignerBuilder("SHA256withECDSA").build(keys.getPrivate()));
    }

    private static KeyPair newKeys() throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(256);
        return generator.generateKeyPair();
    }

    private static void write(Path file, Object pem) throws IOException {
        StringWriter text = new StringWriter();
        try (JcaPEMWriter writer = new JcaPEMWriter(text)) {
            writer.writeObject(pem);
        }
        Files.writeString(file, text.toString());
    }
}
