package io.ecfs.console.bed;

/**
 * A datanode with one disk: requests are served one after the other in order of arrival. So what a request will take is known when it
 * arrives, and no event is needed for its end.
 */
final class QueuedSite {
    private final Device device;
    private long freeAt;
    private long bytesRead;
    private boolean failed;

    QueuedSite(Device device) {
        this.device = device;
    }

    /** A request arrives; {@link #read} its chunks now, before another one begins. */
    void begin(long now) {
        freeAt = Math.max(now, freeAt) + device.overheadNanos();
    }

    /** @return when the chunk has been read */
    long read(long bytes) {
        freeAt += device.readNanos(bytes);
        bytesRead += bytes;
        return freeAt;
    }

    /** A chunk is written by a request of its own. @return when it is on disk */
    long write(long now, long bytes) {
        begin(now);
        freeAt += device.readNanos(bytes);
        return freeAt;
    }

    /** How long a request that reads nothing would take now: what a load-status call measures. */
    long responseNanos(long now) {
        return Math.max(0, freeAt - now) + device.overheadNanos();
    }

    long bytesRead() {
        return bytesRead;
    }

    boolean failed() {
        return failed;
    }

    void fail() {
        failed = true;
    }
}
