package io.ecfs.bench.bed.erails.cluster;

import io.ecfs.datanode.store.io.VolumeIo;

/** The device of one volume of a bed. Safe for use by several threads. */
interface RingDisk {
    /** The port of a volume in a directory, on this device. */
    VolumeIo around(VolumeIo directory);

    /** From now on it counts, and takes a model's time, or does not. */
    void on(boolean wanted);

    DiskCounts counts();
}
