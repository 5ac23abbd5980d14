package io.ecfs.message;

/**
 * How busy a datanode was of late, by its own word.
 *
 * @param cpuPermille share of its machine's processors in use, in [0, 1000]; -1: not known
 * @param readBytesPerSecond of chunks, sent to whoever asked
 * @param writtenBytesPerSecond of chunks, received
 * @param waitMicros that what volumes are asked for waits until it begins, averaged over all that began since it was last told, a call for the
 *     purpose among it. The paper's is such a call's response time alone (ec-store paper, V-B3: o_j), which says little of three seconds
 */
public record DatanodeLoad(int cpuPermille, long readBytesPerSecond, long writtenBytesPerSecond, long waitMicros) {
    public static final int CPU_UNKNOWN = -1;

    public DatanodeLoad {
        if (cpuPermille < CPU_UNKNOWN || readBytesPerSecond < 0 || writtenBytesPerSecond < 0 || waitMicros < 0) {
            throw new IllegalArgumentException("load is negative: cpu=" + cpuPermille + " read=" + readBytesPerSecond
                    + " written=" + writtenBytesPerSecond + " wait=" + waitMicros);
        }
    }

    /** Bytes that went to or came from its volumes, a second. */
    public double bytesPerSecond() {
        return (double) readBytesPerSecond + writtenBytesPerSecond;
    }
}
