package io.ecfs.sim;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A change of one place in main code.
 *
 * @param file below the project's root
 * @param original text that stands in the file once
 */
record Mutant(String name, String file, String original, String changed) {
    /** The changed source. */
    String source(Path root) throws IOException {
        String source = Files.readString(root.resolve(file));
        int at = source.indexOf(original);
        if (at < 0 || source.indexOf(original, at + 1) >= 0) {
            throw new IllegalStateException("mutant " + name + ": \"" + original + "\" must stand once in " + file);
        }
        return source.substring(0, at) + changed + source.substring(at + original.length());
    }

    String simpleClass() {
        return file.substring(file.lastIndexOf('/') + 1);
    }
}
