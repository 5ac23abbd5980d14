package io.ecfs.bench.koh.run;

import io.ecfs.bench.load.Latencies;

/**
 * Requests of one stage.
 *
 * @param requests that were answered, those of metadata included
 * @param bytes of user data that they read and wrote
 * @param seconds from the first request to the last answer
 * @param late streams that came late
 * @param uncompared reads whose bytes were being written meanwhile
 */
record Ran(
        Latencies latencies,
        TimeSeries series,
        long requests,
        long bytes,
        double seconds,
        long late,
        long uncompared) {}
