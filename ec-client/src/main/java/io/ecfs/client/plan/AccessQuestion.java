package io.ecfs.client.plan;

import io.ecfs.code.ChunkSet;
import io.ecfs.code.ErasureCode;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Input of a planner.
 *
 * @param wanted data chunks whose bytes are needed, at least one
 * @param sources of the chunks of the group by index; one that is not named counts as {@link Standing#FAILED}
 */
public record AccessQuestion(ErasureCode code, ChunkSet wanted, SortedMap<Integer, Standing> sources) {
    public AccessQuestion {
        Objects.requireNonNull(code, "code");
        Objects.requireNonNull(wanted, "wanted");
        sources = Collections.unmodifiableSortedMap(new TreeMap<>(sources));
    }

    public Standing standing(int index) {
        return sources.getOrDefault(index, Standing.FAILED);
    }

    /** The chunks that stand at {@code worst} or better. */
    public ChunkSet upTo(Standing worst) {
        return those(standing -> standing.compareTo(worst) <= 0);
    }

    /** The chunks that stand at exactly this. */
    ChunkSet at(Standing exactly) {
        return those(standing -> standing == exactly);
    }

    private ChunkSet those(Predicate<Standing> wanted) {
        return ChunkSet.of(sources.entrySet().stream()
                .filter(e -> wanted.test(e.getValue()))
                .map(Map.Entry::getKey)
                .toList());
    }
}
