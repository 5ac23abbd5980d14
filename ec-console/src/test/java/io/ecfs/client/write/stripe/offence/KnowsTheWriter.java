package io.ecfs.client.write.stripe.offence;

import io.ecfs.client.write.FileWriter;
import io.ecfs.message.FilePath;

/** Depends on the writer that sends stripes. */
public final class KnowsTheWriter {
    static FilePath path(FileWriter writer) {
        return writer.file().path();
    }
}
