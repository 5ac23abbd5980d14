package io.ecfs.bench.koh.run;

/** Calls of datanodes to their volumes. */
record VolumeTraffic(long reads, long readBytes, long writes, long writtenBytes, long syncs) {
    VolumeTraffic since(VolumeTraffic before) {
        return new VolumeTraffic(
                reads - before.reads,
                readBytes - before.readBytes,
                writes - before.writes,
                writtenBytes - before.writtenBytes,
                syncs - before.syncs);
    }
}
