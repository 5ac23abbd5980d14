package io.ecfs.namenode.lease;

import io.ecfs.code.ChunkSet;
import io.ecfs.dispatch.StateMachine;
import io.ecfs.error.EcfsException;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupLayout;
import io.ecfs.layout.InodeId;
import io.ecfs.message.VolumeId;
import io.ecfs.message.chunk.ChunkLocation;
import io.ecfs.message.chunk.ChunkRecord;
import io.ecfs.message.chunk.TailCoverage;
import io.ecfs.message.chunk.TailSource;
import io.ecfs.namenode.group.ChunkOnVolume;
import io.ecfs.namenode.group.GroupFacts;
import io.ecfs.tail.RecoverableLength;
import io.ecfs.tail.UnreachableChunks;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Progress of one file in recovery; {@link GroupRecovery} has its states. Owner thread: the namenode's event thread.
 */
final class RecoveringFile {
    private static final Logger LOG = LoggerFactory.getLogger(RecoveringFile.class);

    enum Stage {
        COLLECTING,
        FILLING,
        CLOSING;

        boolean mayBecome(Stage next) {
            return switch (this) {
                case COLLECTING -> next != COLLECTING;
                case FILLING -> next == CLOSING;
                case CLOSING -> false;
            };
        }
    }

    private final InodeId file;
    private final Optional<GroupFacts> group;
    private final long fence;
    private final TreeMap<Integer, Optional<ChunkRecord>> answers = new TreeMap<>();
    private final Map<Integer, TailCoverage> tails = new TreeMap<>();
    private final Set<Integer> interrupted = new TreeSet<>();
    private long sinceMillis;
    private final StateMachine<Stage> stage;
    private Optional<RecoverableLength> target = Optional.empty();
    private boolean fillsStripes;
    private final List<CompletableFuture<Boolean>> waiting = new ArrayList<>();

    RecoveringFile(InodeId file, Optional<GroupFacts> group, long fence, long sinceMillis) {
        this.file = file;
        this.group = group;
        this.fence = fence;
        this.sinceMillis = sinceMillis;
        this.stage =
                new StateMachine<>(LOG, "recovery_stage", () -> "file=" + file, Stage.COLLECTING, Stage::mayBecome);
    }

    InodeId file() {
        return file;
    }

    Optional<GroupFacts> group() {
        return group;
    }

    GroupFacts openGroup() {
        return group.orElseThrow();
    }

    long fence() {
        return fence;
    }

    Stage stage() {
        return stage.state();
    }

    /** Time at which its stage began. */
    long sinceMillis() {
        return sinceMillis;
    }

    /** The length that the chunks are filled up to. */
    Optional<RecoverableLength> target() {
        return target;
    }

    /** Callers that wait for its end: {@link #ended} completes it with whether the file is closed. */
    CompletableFuture<Boolean> awaitEnd() {
        CompletableFuture<Boolean> answer = new CompletableFuture<>();
        waiting.add(answer);
        return answer.whenComplete((closed, failure) -> waiting.removeIf(CompletableFuture::isDone));
    }

    void ended(boolean closed) {
        List.copyOf(waiting).forEach(answer -> answer.complete(closed));
    }

    void failWaiting(EcfsException reason) {
        List.copyOf(waiting).forEach(answer -> answer.completeExceptionally(reason));
    }

    /** Records what a chunk holds; it is fenced, so no writer can change it. */
    void holds(ChunkRecord record, TailCoverage tail) {
        holds(record, tail, false);
    }

    /** @param wasInterrupted the chunk may have had more, so that others may */
    void holds(ChunkRecord record, TailCoverage tail, boolean wasInterrupted) {
        int index = record.chunk().index();
        answers.put(index, Optional.of(record));
        tails.put(index, tail);
        if (wasInterrupted) {
            interrupted.add(index);
        } else {
            interrupted.remove(index);
        }
    }

    /** Records a chunk that was filled with full stripes or its cell of the tail; its tail log is unchanged. */
    void filled(ChunkRecord record) {
        answers.put(record.chunk().index(), Optional.of(record));
    }

    void gone(ChunkId chunk) {
        answers.put(chunk.index(), Optional.empty());
        tails.remove(chunk.index());
    }

    /** Discards the answer of a chunk. */
    void unanswered(ChunkId chunk) {
        answers.remove(chunk.index());
        tails.remove(chunk.index());
        interrupted.remove(chunk.index());
    }

    boolean answered(ChunkId chunk) {
        return answers.containsKey(chunk.index());
    }

    Optional<RecoverableLength> recoverable() {
        return RecoverableLength.of(openGroup().policy(), answers, tails);
    }

    /** Returns whether the answers may cover less than what was acknowledged, and silent chunks the rest. */
    boolean othersMayHoldIt(Predicate<VolumeId> dead) {
        List<ChunkOnVolume> silent = openGroup().stored().stream()
                .filter(stored -> !answered(stored.chunk()))
                .toList();
        List<ChunkOnVolume> returning =
                silent.stream().filter(stored -> !dead.test(stored.volume())).toList();
        return new UnreachableChunks(
                        openGroup().policy(),
                        answers,
                        tails,
                        indexes(silent),
                        indexes(returning),
                        ChunkSet.of(interrupted))
                .mayHoldMore();
    }

    private static ChunkSet indexes(List<ChunkOnVolume> chunks) {
        return ChunkSet.of(chunks.stream().map(stored -> stored.chunk().index()).toList());
    }

    /** @param stripesToo also fills chunks that lack full stripes; otherwise only cells of the tail */
    void fill(RecoverableLength found, boolean stripesToo, long nowMillis) {
        target = Optional.of(found);
        fillsStripes = stripesToo;
        sinceMillis = nowMillis;
        enter(Stage.FILLING);
    }

    void close() {
        enter(Stage.CLOSING);
    }

    /** Returns whether this chunk can have its cell of the tail, and does not have it. */
    boolean needsTail(ChunkId chunk) {
        Optional<ChunkRecord> record = answers.getOrDefault(chunk.index(), Optional.empty());
        return stage.is(Stage.FILLING)
                && record.filter(r -> RecoverableLength.fillable(layout(), r) && !RecoverableLength.holds(layout(), r))
                        .isPresent();
    }

    /** Returns whether this chunk can have the full stripes that it lacks. */
    boolean needsStripes(ChunkId chunk) {
        return stage.is(Stage.FILLING) && fillsStripes && behind(chunk, layout());
    }

    /**
     * Returns whether the group would end with full stripes, and chunks that can be filled up to there end before:
     * without those it survives fewer losses.
     */
    boolean someBehind(RecoverableLength found, Predicate<VolumeId> awaited) {
        GroupLayout stripes = new GroupLayout(openGroup().policy(), found.length());
        return stripes.tailBytes() == 0
                && openGroup().stored().stream()
                        .anyMatch(stored -> awaited.test(stored.volume()) && behind(stored.chunk(), stripes));
    }

    private boolean behind(ChunkId chunk, GroupLayout layout) {
        return answers.getOrDefault(chunk.index(), Optional.empty())
                .filter(record -> RecoverableLength.behind(layout, record))
                .isPresent();
    }

    /** Chunks with all full stripes, among these. */
    List<ChunkLocation> stripeSources(List<ChunkLocation> locations) {
        return locations.stream()
                .filter(location -> answers.getOrDefault(location.chunk().index(), Optional.empty())
                        .filter(record -> RecoverableLength.holdsStripes(layout(), record))
                        .isPresent())
                .toList();
    }

    boolean targetIsReached() {
        return openGroup()
                .policy()
                .code()
                .decodable(
                        ChunkSet.of(targetHolders().stream().map(ChunkId::index).toList()));
    }

    List<ChunkId> targetHolders() {
        List<ChunkRecord> complete =
                answers.values().stream().flatMap(Optional::stream).toList();
        return RecoverableLength.holders(openGroup().policy(), layout().length(), complete);
    }

    /** Chunks with tail records, among these. */
    List<TailSource> tailSources(List<ChunkLocation> locations) {
        return locations.stream()
                .map(location -> new TailSource(
                        location, tails.getOrDefault(location.chunk().index(), TailCoverage.NONE)))
                .filter(source -> !source.tail().equals(TailCoverage.NONE))
                .toList();
    }

    private GroupLayout layout() {
        return new GroupLayout(openGroup().policy(), target.orElseThrow().length());
    }

    /** Goes on; the target is why. */
    private void enter(Stage next) {
        stage.enter(next, "target " + target);
    }
}
