package io.ecfs.datanode.store.queue;

import static io.ecfs.datanode.store.Chunks.id;
import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import java.util.List;
import java.util.concurrent.Callable;

/** Work for a {@link VolumeQueue} that notes its number when it runs. */
final class Pieces {
    private Pieces() {}

    static VolumeTask<Integer> piece(int group, int number, List<Integer> order) {
        return new VolumeTask<>(id(group, 0), noting(number, order));
    }

    static VolumeTask<Integer> spare(int group, int number, List<Integer> order) {
        return new VolumeTask<>(id(group, 0), noting(number, order), true);
    }

    private static Callable<Integer> noting(int number, List<Integer> order) {
        return () -> {
            order.add(number);
            return number;
        };
    }

    /** Of a piece that failed. */
    static ErrorCode code(VolumeTask<?> piece) {
        assertThat(piece.result()).isCompletedExceptionally();
        return EcfsException.of(
                        piece.result().handle((value, failure) -> failure).join())
                .code();
    }
}
