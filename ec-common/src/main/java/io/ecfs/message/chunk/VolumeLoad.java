package io.ecfs.message.chunk;

import io.ecfs.message.Message;
import io.ecfs.message.VolumeId;
import java.util.Objects;

/**
 * How busy a volume is. What counts is how long the answer takes: it waits its turn in the volume's queue like any
 * request, and touches no disk (the load-status requests of EC-Store, section V.B).
 */
public sealed interface VolumeLoad extends Message {
    VolumeId volume();

    /**
     * Answered by {@link Told} when the volume comes to it; {@code NOT_FOUND} where that volume is not. Needs no token:
     * it tells nothing of data.
     */
    record Ask(VolumeId volume) implements VolumeLoad {
        public Ask {
            Objects.requireNonNull(volume, "volume");
        }
    }

    /**
     * @param queued pieces of work on chunks that wait or run: for people, readers take the time that the answer takes
     */
    record Told(VolumeId volume, int queued) implements VolumeLoad {
        public Told {
            Objects.requireNonNull(volume, "volume");
        }
    }
}
