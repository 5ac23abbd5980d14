package io.ecfs.namenode.placement.offence;

import java.io.IOException;
import java.io.InputStream;

/** A pure package that reads a stream. */
public final class DoesInputOutput {
    public static int read(InputStream in) throws IOException {
        return in.read();
    }
}
