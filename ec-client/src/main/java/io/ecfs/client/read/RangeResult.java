package io.ecfs.client.read;

import io.ecfs.error.EcfsException;
import java.nio.ByteBuffer;
import java.util.Objects;

/** The outcome of one range of a request for several. */
public sealed interface RangeResult {
    FileRange range();

    /** @param bytes of the range, from position 0 to the limit; fewer than asked for, or none, where the file ends */
    record Read(FileRange range, ByteBuffer bytes) implements RangeResult {
        public Read {
            Objects.requireNonNull(range, "range");
            Objects.requireNonNull(bytes, "bytes");
        }
    }

    /**
     * @param failure {@code NOT_FOUND}, {@code ACCESS_DENIED}, {@code GROUP_UNREADABLE} … as a read of this range alone
     *     would fail
     */
    record Failed(FileRange range, EcfsException failure) implements RangeResult {
        public Failed {
            Objects.requireNonNull(range, "range");
            Objects.requireNonNull(failure, "failure");
        }
    }
}
