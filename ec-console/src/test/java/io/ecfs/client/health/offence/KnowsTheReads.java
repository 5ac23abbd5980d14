package io.ecfs.client.health.offence;

import io.ecfs.client.read.span.SpanBytes;

/** Depends on the reads that report to it. */
public final class KnowsTheReads {
    static long from(SpanBytes bytes) {
        return bytes.from();
    }
}
