package io.ecfs.console.web.settings;

import java.nio.file.Path;
import java.util.Objects;

/**
 * TLS of the console itself. Files that change are read again without a restart; a pair that cannot be used leaves the
 * one before.
 *
 * @param certificate PEM file, the chain; its subject alternative names have the host that browsers call
 * @param key PEM file, PKCS#8, without passphrase
 */
public record ConsoleTls(Path certificate, Path key) {
    public ConsoleTls {
        Objects.requireNonNull(certificate, "certificate");
        Objects.requireNonNull(key, "key");
    }
}
