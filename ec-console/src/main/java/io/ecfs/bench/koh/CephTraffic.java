package io.ecfs.bench.koh;

/**
 * What a stream of requests costs a cluster.
 *
 * @param requests of the application, those of metadata left out
 * @param requestedBytes that the application reads and writes: those of the public network
 * @param readBytes of all disks
 * @param writtenBytes to all disks
 * @param diskReads requests that read
 * @param diskWrites requests that write
 * @param privateBytes from one OSD to another, also within a node
 */
public record CephTraffic(
        long requests,
        long requestedBytes,
        long readBytes,
        long writtenBytes,
        long diskReads,
        long diskWrites,
        long privateBytes) {
    /** Of OSDs that check each other, in a second: all of the cluster (section V-B1). */
    static final long HEARTBEAT_BYTES_A_SECOND = 280_000;

    static final CephTraffic NONE = new CephTraffic(0, 0, 0, 0, 0, 0, 0);

    CephTraffic plus(CephTraffic other) {
        return new CephTraffic(
                requests + other.requests,
                requestedBytes + other.requestedBytes,
                readBytes + other.readBytes,
                writtenBytes + other.writtenBytes,
                diskReads + other.diskReads,
                diskWrites + other.diskWrites,
                privateBytes + other.privateBytes);
    }

    /** With the heartbeats of so many seconds. */
    public CephTraffic withHeartbeats(double seconds) {
        return plus(new CephTraffic(0, 0, 0, 0, 0, 0, Math.round(seconds * HEARTBEAT_BYTES_A_SECOND)));
    }

    /** Bytes of a quantity; of disks and the private network alone. */
    public long bytes(Quantity quantity) {
        return switch (quantity) {
            case READ -> readBytes;
            case WRITTEN -> writtenBytes;
            case NETWORK -> privateBytes;
            default -> throw new IllegalArgumentException("the rules of Ceph give no " + quantity);
        };
    }

    /** Bytes of a quantity for each requested byte. */
    public double perByte(Quantity quantity) {
        return bytes(quantity) / (double) requestedBytes;
    }
}
