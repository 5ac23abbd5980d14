package io.ecfs.message.chunk;

import io.ecfs.message.Message;
import io.ecfs.message.VolumeId;
import java.util.Objects;

/**
 * Load of a volume. The measure is the response time: the request waits in the volume's queue like any other, and
 * touches no disk (the load-status requests of EC-Store, section V.B).
 */
public sealed interface VolumeLoad extends Message {
    VolumeId volume();

    /**
     * Answered by {@link Reply} when the volume's queue gets to it; {@code NOT_FOUND} on a datanode without that
     * volume. Needs no token: the answer reveals no data.
     */
    record Ask(VolumeId volume) implements VolumeLoad {
        public Ask {
            Objects.requireNonNull(volume, "volume");
        }
    }

    /** @param queued tasks on chunks that wait or run: for operators; readers use the response time */
    record Reply(VolumeId volume, int queued) implements VolumeLoad {
        public Reply {
            Objects.requireNonNull(volume, "volume");
        }
    }
}
