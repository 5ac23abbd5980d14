package io.ecfs.bench.exstorus.cluster;

import io.ecfs.bench.bed.network.LinkTimer;
import io.ecfs.layout.EncodingSide;
import io.ecfs.layout.WriteSide;
import io.ecfs.message.report.WriteShare;
import io.ecfs.plan.write.WritePart;
import io.ecfs.plan.write.WriteStep;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * A mix as it was written once.
 *
 * @param side that was to encode, perhaps AUTO
 * @param window stripes under way, the one being filled counted
 * @param seconds from the creation of the first file to the close of the last
 * @param shares its times, by the side that encoded
 * @param clientNanos of processors, of the client's threads
 * @param processNanos of processors, of all threads of this process
 * @param clientSent bytes through the client's NIC, heads of messages included
 * @param late by how much deliveries of the network were
 */
record WriteRun(
        WriteMix mix,
        EncodingSide side,
        int window,
        double seconds,
        List<WriteShare> shares,
        long clientNanos,
        long processNanos,
        long clientSent,
        LinkTimer.Lateness late) {
    private static final double NANOS = 1e9;
    private static final double MEGA = 1e6;

    WriteRun {
        shares = List.copyOf(shares);
    }

    /** MB/s (10^6 bytes). */
    double rate() {
        return mix.bytes() / seconds / MEGA;
    }

    /** Stripes that a side encoded, of all stripes. */
    double shareOf(WriteSide encoded) {
        long all = shares.stream().mapToLong(WriteShare::stripes).sum();
        return (double) shares.stream()
                        .filter(share -> share.side() == encoded)
                        .mapToLong(WriteShare::stripes)
                        .sum()
                / all;
    }

    /** Nanoseconds of a part for one record, all sides together. */
    double nanos(WritePart part) {
        long sum = shares.stream().mapToLong(share -> share.nanos(part)).sum();
        return (double) sum * mix.recordBytes() / mix.bytes();
    }

    /** Nanoseconds of a step for one record. */
    double nanos(WriteStep step) {
        double sum = 0;
        for (WritePart part : WritePart.values()) {
            sum += part.step() == step ? nanos(part) : 0;
        }
        return sum;
    }

    /** Nanoseconds of all parts for one record. */
    Map<WritePart, Double> parts() {
        Map<WritePart, Double> parts = new EnumMap<>(WritePart.class);
        for (WritePart part : WritePart.values()) {
            parts.put(part, nanos(part));
        }
        return parts;
    }

    /** Nanoseconds of all steps for one record. */
    double sumNanos() {
        return parts().values().stream().mapToDouble(Double::doubleValue).sum();
    }

    /** Nanoseconds between two records: the time that passed. */
    double elapsedNanos() {
        return seconds * NANOS * mix.recordBytes() / mix.bytes();
    }

    /** Processors that this process used on average. */
    double processors() {
        return processNanos / (seconds * NANOS);
    }

    /** Nanoseconds of the client's processor for a user byte. */
    double clientNanosPerByte() {
        return (double) clientNanos / mix.bytes();
    }

    /** Bytes that leave the client for a user byte. */
    double clientBytesPerByte() {
        return (double) clientSent / mix.bytes();
    }
}
