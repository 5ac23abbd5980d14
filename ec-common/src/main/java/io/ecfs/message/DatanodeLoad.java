package io.ecfs.message;

/**
 * How busy a datanode was of late, by its own word.
 *
 * @param cpuPermille share of its machine's processors in use, in [0, 1000]; -1: not known
 * @param readBytesPerSecond of chunks, sent to whoever asked
 * @param writtenBytesPerSecond of chunks, received
 * @param waitMicros from when a small piece of work is given to a volume until it is done, averaged over the volumes: the response time of
 *     a load-status call (ec-store paper, V-B3: o_j)
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
