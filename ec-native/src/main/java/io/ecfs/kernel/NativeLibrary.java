package io.ecfs.kernel;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Locale;
import java.util.Optional;

/** Loads our library out of the jar, and opens ISA-L, once each in the life of a process. */
final class NativeLibrary {
    /** The name under which every distribution has ISA-L 2.x; 2.30 and 2.31 share it. */
    static final String SYSTEM_LIBRARY = "libisal.so.2";

    private NativeLibrary() {}

    /** Reason why the library is not loaded; empty if it is. The first call loads it. */
    static Optional<String> failure() {
        return Loaded.FAILURE;
    }

    /** Reason why ISA-L cannot be used; empty if it is open. The first call loads the library and opens ISA-L. */
    static Optional<String> isalFailure() {
        return Opened.FAILURE;
    }

    private static final class Loaded {
        static final Optional<String> FAILURE = load(System.getProperty("os.name"), System.getProperty("os.arch"));
    }

    private static final class Opened {
        static final Optional<String> FAILURE = failure()
                .or(() -> Optional.ofNullable(NativeCalls.openIsal(SYSTEM_LIBRARY))
                        .map(reason -> reason + "; install it with: apt-get install libisal2"));
    }

    /** Unpacks and loads the library for a system; the reason if that fails. */
    static Optional<String> load(String system, String processor) {
        String resource = "/native/" + platform(system, processor) + "/libecfskernel.so";
        try (InputStream library = NativeLibrary.class.getResourceAsStream(resource)) {
            if (library == null) {
                return Optional.of("this build has no native library for " + system + " on " + processor);
            }
            Path unpacked = Files.createTempFile("libecfskernel", ".so");
            try {
                Files.copy(library, unpacked, StandardCopyOption.REPLACE_EXISTING);
                System.load(unpacked.toAbsolutePath().toString());
            } finally {
                // A loaded library stays mapped when its file goes.
                Files.delete(unpacked);
            }
            return Optional.empty();
        } catch (IOException | UnsatisfiedLinkError failure) {
            return Optional.of("cannot unpack and load the native library in " + System.getProperty("java.io.tmpdir")
                    + " (no space, or mounted noexec?): " + failure.getMessage());
        }
    }

    /** For example {@code linux-x86_64}, as {@code uname} names it. */
    private static String platform(String system, String processor) {
        String machine = processor.equals("amd64") ? "x86_64" : processor;
        return system.toLowerCase(Locale.ROOT).replace(' ', '_') + "-" + machine;
    }
}
