package io.ecfs.client.location.offence;

import io.ecfs.client.read.span.SpanBytes;

/** Depends on the reads that use locations. */
public final class KnowsTheReads {
    static long from(SpanBytes bytes) {
        return bytes.from();
    }
}
