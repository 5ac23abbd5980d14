package io.ecfs.namenode.log.ratis;

import io.ecfs.namenode.log.ratis.RaftMember.RaftTls;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** An authority made on the spot, and one certificate of it that is good for 127.0.0.1. */
record Certificates(RaftTls credentials) {
    static Certificates in(Path directory) throws IOException, GeneralSecurityException, OperatorCreationException {
        Files.createDirectories(directory);
        KeyPairGenerator keys = KeyPairGenerator.getInstance("EC");
        keys.initialize(256);
        KeyPair authority = keys.generateKeyPair();
        KeyPair member = keys.generateKeyPair();
        X500Name issuer = new X500Name("CN=authority of " + directory.getFileName());
        X509CertificateHolder root = builder(issuer, issuer, authority, 1)
                .addExtension(Extension.basicConstraints, true, new BasicConstraints(true))
                .build(new JcaContentSignerBuilder("SHA256withECDSA").build(authority.getPrivate()));
        X509CertificateHolder leaf = builder(issuer, new X500Name("CN=namenode"), member, 2)
                .addExtension(
                        Extension.subjectAlternativeName,
                        false,
                        new GeneralNames(new GeneralName(GeneralName.iPAddress, "127.0.0.1")))
                .build(new JcaContentSignerBuilder("SHA256withECDSA").build(authority.getPrivate()));
        return new Certificates(new RaftTls(
                key(directory.resolve("key.pem"), member.getPrivate()),
                pem(directory.resolve("certificate.pem"), "CERTIFICATE", leaf.getEncoded()),
                pem(directory.resolve("authority.pem"), "CERTIFICATE", root.getEncoded())));
    }

    private static X509v3CertificateBuilder builder(X500Name issuer, X500Name subject, KeyPair keys, long serial) {
        Instant now = Instant.now();
        return new JcaX509v3CertificateBuilder(
                issuer,
                BigInteger.valueOf(serial),
                Date.from(now.minus(Duration.ofDays(1))),
                Date.from(now.plus(Duration.ofDays(1))),
                subject,
                keys.getPublic());
    }

    private static Path key(Path file, PrivateKey key) throws IOException {
        return pem(file, "PRIVATE KEY", key.getEncoded());
    }

    private static Path pem(Path file, String kind, byte[] bytes) throws IOException {
        return Files.writeString(
                file,
                "-----BEGIN " + kind + "-----\n"
                        + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes) + "\n-----END " + kind
                        + "-----\n");
    }
}
