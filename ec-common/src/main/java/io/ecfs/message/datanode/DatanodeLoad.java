package io.ecfs.message.datanode;

/**
 * Recent load of a datanode, as it measured it.
 *
 * @param cpuPermille share of its machine's processors in use, in [0, 1000]; -1: not known
 * @param readBytesPerSecond of chunks, sent to clients and datanodes
 * @param writtenBytesPerSecond of chunks, received
 * @param waitMicros average time that a request waits for its volume: of the readers' requests that began since the
 *     last report, and of one probe. The paper takes a probe's response time alone (ec-store paper, V-B3: o_j), which
 *     says little about three seconds
 * @param serviceMicros average time of the first read of such a request; 0: there were none
 */
public record DatanodeLoad(
        int cpuPermille, long readBytesPerSecond, long writtenBytesPerSecond, long waitMicros, long serviceMicros) {
    public static final int CPU_UNKNOWN = -1;

    public DatanodeLoad {
        if (cpuPermille < CPU_UNKNOWN
                || readBytesPerSecond < 0
                || writtenBytesPerSecond < 0
                || waitMicros < 0
                || serviceMicros < 0) {
            throw new IllegalArgumentException("load is negative: cpu=" + cpuPermille + " read=" + readBytesPerSecond
                    + " written=" + writtenBytesPerSecond + " wait=" + waitMicros + " service="
                    + serviceMicros);
        }
    }

    /** Bytes read from and written to its volumes, a second. */
    public double bytesPerSecond() {
        return (double) readBytesPerSecond + writtenBytesPerSecond;
    }
}
