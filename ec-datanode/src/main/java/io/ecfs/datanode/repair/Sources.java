package io.ecfs.datanode.repair;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ecfs.code.ChunkSet;
import io.ecfs.code.ErasureCode;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.ChunkId;
import io.ecfs.message.chunk.ChunkLocation;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The chunks that a rebuild may read and how the lost one is computed from them. One that failed is not read again:
 * what comes after is planned without it. Safe for use by several threads.
 */
final class Sources {
    private final ChunkId chunk;
    private final ErasureCode code;

    @GuardedBy("this")
    private final TreeMap<Integer, ChunkLocation> usable = new TreeMap<>();

    @GuardedBy("this")
    private final TreeMap<Integer, EcfsException> failed = new TreeMap<>();

    /** By the bytes of the cell, since runs of sub-chunks are worth it in large cells only. */
    @GuardedBy("this")
    private final TreeMap<Integer, Recipes> recipes = new TreeMap<>();

    /** Recipes to compute the chunk once, and twice if a second way exists. */
    private record Recipes(Recipe once, Recipe twice) {}

    /** @param chunk that is computed */
    Sources(ChunkId chunk, List<ChunkLocation> sources, ErasureCode code) {
        this.chunk = chunk;
        this.code = code;
        sources.forEach(source -> usable.put(source.chunk().index(), source));
    }

    /**
     * @param slice that is read, a whole cell where the code has sub-chunks
     * @param twice with a second way to compute the chunk, if there is one
     * @throws EcfsException {@code GROUP_UNREADABLE} when those that are left do not determine the chunk
     */
    synchronized Recipe recipe(Slice slice, boolean twice) throws EcfsException {
        int cellBytes = code.subChunks() == 1 ? 0 : slice.codedBytes();
        Recipes found = recipes.get(cellBytes);
        if (found == null) {
            found = plan(cellBytes);
            recipes.put(cellBytes, found);
        }
        return twice ? found.twice() : found.once();
    }

    /**
     * Returns whether the chunk would be cross-checked now; also true when it could not be computed at all, as
     * {@link #recipe} reports.
     */
    synchronized boolean mayCrossCheck(Slice slice) {
        try {
            return recipe(slice, true).check().isPresent();
        } catch (EcfsException e) {
            return true;
        }
    }

    @GuardedBy("this")
    private Recipes plan(int cellBytes) throws EcfsException {
        int index = chunk.index();
        // A source of the chunk's own index has the bytes themselves; without it they are computed from the others.
        Recipe twice = (usable.containsKey(index)
                        ? Optional.of(Recipe.copy(code, index))
                        : Recipe.of(
                                code, index, ReadCost.cheapest(code, index, ChunkSet.of(usable.keySet()), cellBytes)))
                .orElseThrow(() -> new EcfsException(
                        ErrorCode.GROUP_UNREADABLE,
                        "chunk " + chunk + " cannot be rebuilt from the chunks " + usable.keySet() + failures()));
        return new Recipes(new Recipe(twice.plan(), Optional.empty()), twice);
    }

    /** Location of a chunk; empty when it failed meanwhile. */
    synchronized Optional<ChunkLocation> at(int index) {
        return Optional.ofNullable(usable.get(index));
    }

    /** It is none any more; empty when that was known. */
    synchronized Optional<ChunkLocation> drop(int index, EcfsException failure) {
        Optional<ChunkLocation> source = Optional.ofNullable(usable.remove(index));
        if (source.isPresent()) {
            failed.put(index, failure);
            recipes.clear();
        }
        return source;
    }

    synchronized Set<Integer> failed() {
        return new TreeSet<>(failed.keySet());
    }

    @GuardedBy("this")
    private String failures() {
        StringBuilder text = new StringBuilder();
        failed.forEach((index, failure) ->
                text.append("; ").append(index).append(" failed: ").append(failure.getMessage()));
        return text.toString();
    }
}
