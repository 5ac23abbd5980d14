package io.ecfs.message.datanode;

/**
 * How busy a datanode was of late, by its own word.
 *
 * @param cpuPermille share of its machine's processors in use, in [0, 1000]; -1: not known
 * @param readBytesPerSecond of chunks, sent to whoever asked
 * @param writtenBytesPerSecond of chunks, received
 * @param waitMicros that what volumes are asked for waits until it begins, averaged over readers' visits that began
 *     since it was last told, and a call for the purpose. The paper's is such a call's response time alone (ec-store
 *     paper, V-B3: o_j), which says little of three seconds
 * @param serviceMicros that the first read of such a visit takes then, averaged; 0: there were none
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

    /** Bytes that went to or came from its volumes, a second. */
    public double bytesPerSecond() {
        return (double) readBytesPerSecond + writtenBytesPerSecond;
    }
}
