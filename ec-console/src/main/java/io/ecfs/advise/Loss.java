package io.ecfs.advise;

import io.ecfs.layout.Policy;

/**
 * What one datanode had.
 *
 * @param bytes of its chunks
 * @param chunks mean number of them, of datanodes that hold equally much
 * @param readPerByte bytes that are read for each byte that is rebuilt
 * @param diskPerByte bytes that disks read for each of them, also those between the bytes that are sent
 * @param accessesPerChunk of the disks of all sources together for each chunk
 * @param sources that each chunk is computed from
 * @param cpuSecondsPerByte processor time of all datanodes together for each byte that is rebuilt
 */
record Loss(
        double bytes,
        double chunks,
        double readPerByte,
        double diskPerByte,
        double accessesPerChunk,
        double sources,
        double cpuSecondsPerByte) {
    /** Chunks of a policy; {@code chunkBytes} of each on average. */
    static Loss of(Policy policy, RepairReading reading, double chunks, double chunkBytes, RepairCpu cpu) {
        RepairReading.DiskReads disks = reading.onDisks(policy, chunkBytes);
        return new Loss(
                chunks * chunkBytes,
                chunks,
                reading.perByte(),
                disks.bytes(),
                disks.accesses(),
                reading.sources(),
                cpu.secondsPerByte(policy.code(), reading.perByte()));
    }

    Loss {
        if (!(bytes > 0) || !(chunks > 0) || !(readPerByte > 0) || !(cpuSecondsPerByte >= 0)) {
            throw new IllegalArgumentException("a loss has bytes and chunks that are read for, got " + bytes + " in "
                    + chunks + " with " + readPerByte + " and " + cpuSecondsPerByte + " s a byte");
        }
        if (!(sources >= 1) || !(accessesPerChunk >= sources)) {
            throw new IllegalArgumentException("a chunk is read from a source and in an access of each at least, got "
                    + accessesPerChunk + " accesses of " + sources);
        }
        if (!(diskPerByte > 0)) {
            throw new IllegalArgumentException("disks read what is sent, got " + diskPerByte + " bytes a byte");
        }
    }
}
