package io.ecfs.bench.koh;

import io.ecfs.layout.Policy;
import java.util.Optional;

/** One measurement, of which a figure needs several; equal ones are measured once. */
public sealed interface KohStage {
    Policy policy();

    /** All but the policy, for people. */
    String text();

    /**
     * Requests of one size.
     *
     * @param depth requests under way
     * @param state of the file before
     * @param kernel coding library; empty: the one in use
     */
    record Requests(Policy policy, Series series, int bytes, int depth, ImageState state, Optional<String> kernel)
            implements KohStage {
        @Override
        public String text() {
            return series.word() + " " + RequestSizes.text(bytes) + ", depth " + depth
                    + (series.kind() == IoKind.WRITE || state != ImageState.OVERWRITE ? ", " + state.word() : "")
                    + kernel.map(name -> ", " + name).orElse("");
        }
    }

    /** A mix by so many processes, on written files, with the client's cache. */
    record MixRun(Policy policy, Mix mix, int processes) implements KohStage {
        @Override
        public String text() {
            return mix.word() + ", " + processes + " processes";
        }
    }
}
