package io.ecfs.client.read.span.offence;

import io.ecfs.client.read.batch.FileRange;

/** Depends on the requests that consist of spans. */
public final class KnowsTheBatch {
    static long from(FileRange range) {
        return range.from();
    }
}
