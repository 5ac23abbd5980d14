package io.ecfs.client.plan;

import io.ecfs.code.ChunkSet;
import io.ecfs.code.RepairPlan;
import java.util.Objects;
import java.util.Optional;

/**
 * A way to the wanted bytes.
 *
 * @param direct wanted chunks that are read themselves
 * @param repair how the other wanted chunks are computed; empty when all are read themselves
 */
public record AccessPlan(ChunkSet direct, Optional<RepairPlan> repair) {
    public AccessPlan {
        Objects.requireNonNull(direct, "direct");
        Objects.requireNonNull(repair, "repair");
    }
}
