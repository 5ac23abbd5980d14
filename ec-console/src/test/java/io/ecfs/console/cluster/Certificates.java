package io.ecfs.console.cluster;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** An authority made on the spot, and what it signs for 127.0.0.1, as PEM files in a directory. */
final class Certificates {
    private final Path directory;
    private final X500Name name;
    private final KeyPair keys = newKeys();
    private int serial;

    Certificates(Path directory) throws Exception {
        this.directory = Files.createDirectories(directory);
        this.name = new X500Name("CN=authority of " + directory.getFileName());
        sign("authority", keys, true, Duration.ofDays(1));
    }

    Path authority() {
        return directory.resolve("authority.crt");
    }

    /** A certificate with its key; what is below zero has run out. */
    Peer peer(String peer, Duration left) throws Exception {
        KeyPair peerKeys = newKeys();
        Path key = directory.resolve(peer + ".key");
        write(key, "PRIVATE KEY", peerKeys.getPrivate().getEncoded());
        return new Peer(sign(peer, peerKeys, false, left), key);
    }

    record Peer(Path certificate, Path key) {}

    private Path sign(String subject, KeyPair subjectKeys, boolean authority, Duration left) throws Exception {
        Instant now = Instant.now();
        X509v3CertificateBuilder builder = new JcaX509v3CertificateBuilder(
                name,
                BigInteger.valueOf(++serial),
                Date.from(now.minus(Duration.ofDays(3))),
                Date.from(now.plus(left)),
                authority ? name : new X500Name("CN=" + subject),
                subjectKeys.getPublic());
        builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(authority));
        builder.addExtension(
                Extension.subjectAlternativeName,
                false,
                new GeneralNames(new GeneralName(GeneralName.iPAddress, "127.0.0.1")));
        Path file = directory.resolve(subject + ".crt");
        write(
                file,
                "CERTIFICATE",
                builder.build(new JcaContentSignerBuilder("SHA256withECDSA").build(keys.getPrivate()))
                        .getEncoded());
        return file;
    }

    private static KeyPair newKeys() throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(256);
        return generator.generateKeyPair();
    }

    private static void write(Path file, String kind, byte[] bytes) throws IOException {
        Files.writeString(
                file,
                "-----BEGIN " + kind + "-----\n"
                        + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes) + "\n-----END " + kind
                        + "-----\n");
    }
}
