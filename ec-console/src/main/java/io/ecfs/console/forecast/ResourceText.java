package io.ecfs.console.forecast;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Text resources that come with the program. */
public final class ResourceText {
    private ResourceText() {}

    /**
     * The text of a resource beside a class, in UTF-8.
     *
     * @throws IllegalStateException when the build lacks it
     */
    public static String of(Class<?> beside, String resource) {
        try (InputStream in = beside.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalStateException("resource " + resource + " is missing from this build");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the resource " + resource, e);
        }
    }
}
