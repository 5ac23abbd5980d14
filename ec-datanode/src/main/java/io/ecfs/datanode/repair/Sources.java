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

    @GuardedBy("this")
    private Optional<Recipes> recipes = Optional.empty();

    /** Recipes to compute the chunk once, and twice if a second way exists. */
    private record Recipes(Recipe once, Recipe twice) {}

    /** @param chunk that is computed */
    Sources(ChunkId chunk, List<ChunkLocation> sources, ErasureCode code) {
        this.chunk = chunk;
        this.code = code;
        sources.forEach(source -> usable.put(source.chunk().index(), source));
    }

    /**
     * @param twice with a second way to compute the chunk, if there is one
     * @throws EcfsException {@code GROUP_UNREADABLE} when those that are left do not determine the chunk
     */
    synchronized Recipe recipe(boolean twice) throws EcfsException {
        if (recipes.isEmpty()) {
            recipes = Optional.of(plan());
        }
        return twice ? recipes.get().twice() : recipes.get().once();
    }

    /**
     * Returns whether the chunk would be cross-checked now; also true when it could not be computed at all, as
     * {@link #recipe} reports.
     */
    synchronized boolean mayCrossCheck() {
        try {
            return recipe(true).check().isPresent();
        } catch (EcfsException e) {
            return true;
        }
    }

    @GuardedBy("this")
    private Recipes plan() throws EcfsException {
        int index = chunk.index();
        // A source of the chunk's own index has the bytes themselves; without it they are computed from the others.
        Recipe twice = (usable.containsKey(index)
                        ? Optional.of(Recipe.copy(code, index))
                        : Recipe.of(code, index, ChunkSet.of(usable.keySet())))
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
            recipes = Optional.empty();
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
