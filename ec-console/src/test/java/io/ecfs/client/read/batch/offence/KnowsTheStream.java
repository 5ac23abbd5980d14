package io.ecfs.client.read.batch.offence;

import io.ecfs.client.read.stream.FileReader;

/** Depends on the files that offer their ranges to it. */
public final class KnowsTheStream {
    static long length(FileReader file) {
        return file.length();
    }
}
