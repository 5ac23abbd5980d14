package io.ecfs.console.web.settings;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

/**
 * A password that can be compared and not read: {@code pbkdf2-sha256:ITERATIONS:SALT:HASH}, the last two in URL-safe
 * base 64 (RFC 8018).
 */
public record PasswordHash(int iterations, String salt, String hash) {
    /** For passwords that people choose (OWASP, 2023). */
    public static final int CHOSEN = 600_000;

    /** For passwords of {@link #generate}, which cannot be guessed anyway. */
    public static final int GENERATED = 10_000;

    private static final String SCHEME = "pbkdf2-sha256";
    private static final int MOST_ITERATIONS = 10_000_000;
    private static final int SALT_BYTES = 16;
    private static final int HASH_BITS = 256;
    private static final int GENERATED_BYTES = 12;

    public PasswordHash {
        if (iterations < 1 || iterations > MOST_ITERATIONS) {
            throw new IllegalArgumentException("iterations must be in [1, " + MOST_ITERATIONS + "]: " + iterations);
        }
        Base64.getUrlDecoder().decode(salt);
        Base64.getUrlDecoder().decode(hash);
    }

    /** @throws IllegalArgumentException for what is no hash, such as a password in clear */
    public static PasswordHash parse(String text) {
        String[] parts = text.split(":", -1);
        if (parts.length != 4 || !parts[0].equals(SCHEME)) {
            throw new IllegalArgumentException("a password is stored as '" + SCHEME
                    + ":ITERATIONS:SALT:HASH': let 'ecfs console passwd' make it from the password");
        }
        return new PasswordHash(Integer.parseInt(parts[1]), parts[2], parts[3]);
    }

    public static PasswordHash of(String password, int iterations) {
        byte[] salt = random(SALT_BYTES);
        return new PasswordHash(iterations, text(salt), text(derive(password, salt, iterations)));
    }

    /** A password for one time, of 96 random bits. */
    public static String generate() {
        return text(random(GENERATED_BYTES));
    }

    /** Takes as long for a wrong password as for the right one. */
    public boolean matches(String password) {
        byte[] derived = derive(password, Base64.getUrlDecoder().decode(salt), iterations);
        return MessageDigest.isEqual(derived, Base64.getUrlDecoder().decode(hash));
    }

    @Override
    public String toString() {
        return SCHEME + ":" + iterations + ":" + salt + ":" + hash;
    }

    private static byte[] derive(String password, byte[] salt, int iterations) {
        try {
            return SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256")
                    .generateSecret(new PBEKeySpec(password.toCharArray(), salt, iterations, HASH_BITS))
                    .getEncoded();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has PBKDF2WithHmacSHA256", e);
        }
    }

    private static byte[] random(int bytes) {
        byte[] random = new byte[bytes];
        new SecureRandom().nextBytes(random);
        return random;
    }

    private static String text(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}
