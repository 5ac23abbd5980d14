package io.ecfs.stripe.write;

import io.ecfs.code.ChunkSet;
import io.ecfs.code.CodeSpec;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.ChunkId;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.chunk.ChunkLocation;
import io.ecfs.stripe.write.WrittenChunk.State;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The chunks of a group that is being written, in the order of their indexes, and what they are worth together. */
public final class WrittenChunks {
    private final CodeSpec code;
    private final SortedMap<Integer, WrittenChunk> chunks = new TreeMap<>();

    WrittenChunks(CodeSpec code, List<ChunkLocation> planned) {
        this.code = code;
        planned.forEach(location -> chunks.put(location.chunk().index(), new WrittenChunk(location)));
    }

    WrittenChunk get(int index) {
        return chunks.get(index);
    }

    Stream<WrittenChunk> in(State state) {
        return having(chunk -> chunk.state() == state);
    }

    /** Those that are in a state now; {@code work} may change that. */
    void each(State state, BiConsumer<Integer, WrittenChunk> work) {
        chunks.forEach((index, chunk) -> {
            if (chunk.state() == state) {
                work.accept(index, chunk);
            }
        });
    }

    void each(BiConsumer<Integer, WrittenChunk> work) {
        chunks.forEach(work);
    }

    boolean any(State state) {
        return in(state).findAny().isPresent();
    }

    private Stream<WrittenChunk> having(Predicate<WrittenChunk> what) {
        return chunks.values().stream().filter(what);
    }

    /** Description of {@link #enough}, for messages: of some codes it depends on which chunks they are. */
    public String required() {
        return "at least " + (code.dataChunks() + 1) + (code.decodesFromAny() ? "" : ", any one of which can be lost,");
    }

    /**
     * Returns whether the chunks that live may be acknowledged: they still give all bytes when any one of them is lost.
     */
    public boolean enough() {
        return redundant(having(WrittenChunk::lives));
    }

    /** Returns whether what was allocated is enough without these datanodes. */
    public boolean enoughWithout(Set<DatanodeId> datanodes) {
        return redundant(having(c -> !datanodes.contains(c.location.datanode())));
    }

    private boolean redundant(Stream<WrittenChunk> some) {
        return redundant(ChunkSet.of(some.map(WrittenChunk::index).toList()));
    }

    /** Returns whether these give all bytes when any one of them is lost. */
    public boolean redundant(ChunkSet some) {
        return code.redundant(some);
    }

    public boolean uses(Set<DatanodeId> datanodes) {
        return having(c -> datanodes.contains(c.location.datanode())).findAny().isPresent();
    }

    /** Chunks that are open or further and have not failed. */
    public int live() {
        return (int) having(WrittenChunk::lives).count();
    }

    /** A chunk that was asked has failed. */
    public boolean broken() {
        return !brokenOnes().isEmpty();
    }

    /** Chunks that were asked and have failed: how far they came is unknown. */
    public List<Integer> brokenOnes() {
        return having(c -> c.state() == State.FAILED && !c.leftOut)
                .map(WrittenChunk::index)
                .toList();
    }

    /** A datanode has not answered everything. */
    public boolean waits() {
        return having(WrittenChunk::waits).findAny().isPresent();
    }

    /** Returns whether all chunks that live have acknowledged everything. */
    public boolean drained() {
        return in(State.OPEN).noneMatch(c -> c.unanswered > 0);
    }

    /**
     * Gives up the chunks whose datanodes have answered nothing for {@code patience}, if the others are enough: those
     * would wait for them. Their calls are called off, so that the stripes under way end.
     *
     * @param syncing chunks whose disk syncs, which may take as long as a call may
     */
    void giveUpSilent(long now, Duration patience, Predicate<WrittenChunk> syncing) {
        List<WrittenChunk> silent = having(WrittenChunk::waits)
                .filter(c -> now - c.silentSince >= patience.toNanos() && !syncing.test(c))
                .toList();
        if (!silent.isEmpty() && redundant(having(c -> c.lives() && !silent.contains(c)))) {
            for (WrittenChunk chunk : silent) {
                chunk.fail(chunk.silence("answered nothing for " + patience.toMillis() + " ms while others went on"));
                List.copyOf(chunk.calls).forEach(call -> call.cancel(false));
            }
        }
    }

    /** Counts the silence of their datanodes from now on: until now they may have been asked nothing. */
    void waitAnew(long now) {
        chunks.values().forEach(chunk -> chunk.silentSince = now);
    }

    /** The first failure that tells this writer that somebody else took over. */
    public Optional<EcfsException> fenced() {
        return chunks.values().stream()
                .flatMap(c -> c.failure.stream())
                .filter(f -> f.code() == ErrorCode.FENCED)
                .findFirst();
    }

    /** The datanodes that failed since the last call: {@code silent} ones answered nothing, the others refused. */
    public List<DatanodeId> newlyFailed(boolean silent) {
        List<WrittenChunk> failed = having(c -> c.state() == State.FAILED && !c.leftOut && !c.reported)
                .filter(c -> silent
                        == c.failure.filter(f -> f.code() == ErrorCode.TIMEOUT).isPresent())
                .toList();
        failed.forEach(c -> c.reported = true);
        return failed.stream().map(c -> c.location.datanode()).toList();
    }

    /** For messages: who failed and why. */
    public String failures() {
        return having(c -> c.failure.isPresent())
                .map(c -> c.location.chunk() + " on " + c.location.datanode() + " (" + c.location.address() + "): "
                        + c.failure.get().code() + ", " + c.failure.get().getMessage())
                .collect(Collectors.joining("; "));
    }

    public ChunkSet finishedIndexes() {
        return ChunkSet.of(in(State.FINISHED).map(WrittenChunk::index).toList());
    }

    List<ChunkId> finished() {
        return in(State.FINISHED).map(c -> c.location.chunk()).toList();
    }

    /** Those that may still give their bytes. */
    List<ChunkLocation> living() {
        return having(WrittenChunk::lives).map(c -> c.location).toList();
    }

    @Override
    public String toString() {
        return chunks.values().stream().map(c -> " " + c.state()).collect(Collectors.joining());
    }
}
