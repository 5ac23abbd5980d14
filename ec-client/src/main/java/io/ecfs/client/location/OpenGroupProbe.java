package io.ecfs.client.location;

import io.ecfs.code.ChunkSet;
import io.ecfs.env.Cancellable;
import io.ecfs.env.Scheduler;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.Extent;
import io.ecfs.layout.GroupLayout;
import io.ecfs.message.chunk.ChunkLocation;
import io.ecfs.message.chunk.ChunkRecord;
import io.ecfs.message.chunk.ChunkReply;
import io.ecfs.message.chunk.TailCoverage;
import io.ecfs.message.chunk.TailSource;
import io.ecfs.message.namespace.LocatedGroup;
import io.ecfs.tail.RecoverableLength;
import io.ecfs.tail.TailReader;
import io.ecfs.tail.UnreachableChunks;
import io.ecfs.transfer.ChunkClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * A group that is being written, as its datanodes have it now: what was acknowledged, and perhaps a little more (HDFS:
 * the visible length). All that can be reached are asked, since an acknowledged record may be on m + 1 of them only.
 */
final class OpenGroupProbe {
    private static final int MOST_ROUNDS = 3;

    private final ChunkClient datanodes;
    private final Scheduler owner;
    private final Duration lateAfter;
    private final Function<List<TailSource>, TailReader> tailReader;
    private final LocatedGroup group;
    private final Map<Integer, Optional<ChunkRecord>> records = new TreeMap<>();
    private final Map<Integer, TailCoverage> tails = new TreeMap<>();
    private final Set<Integer> interrupted = new TreeSet<>();
    private final CompletableFuture<List<Segment>> result = new CompletableFuture<>();
    private final long fileOffset;
    private int waiting;
    private int rounds;

    /** @param fileOffset offset in the file at which the group begins */
    OpenGroupProbe(
            ChunkClient datanodes,
            Scheduler owner,
            Duration lateAfter,
            Function<List<TailSource>, TailReader> tailReader,
            LocatedGroup group,
            long fileOffset) {
        this.datanodes = datanodes;
        this.owner = owner;
        this.lateAfter = lateAfter;
        this.tailReader = tailReader;
        this.group = group;
        this.fileOffset = fileOffset;
    }

    /**
     * Probes the chunks.
     *
     * @return the segments that readers may read, none while the group is empty; fails with {@code GROUP_UNREADABLE}
     *     when the chunks that answer, in several rounds, may not give all that was acknowledged
     */
    CompletableFuture<List<Segment>> start() {
        owner.execute(this::ask);
        return result;
    }

    private void ask() {
        records.clear();
        tails.clear();
        interrupted.clear();
        List<ChunkLocation> reachable = group.chunks().stream()
                .filter(location -> location.state() != ChunkLocation.State.UNREACHABLE)
                .toList();
        waiting = reachable.size();
        if (waiting == 0) {
            decide();
            return;
        }
        Cancellable patience = owner.schedule(lateAfter, this::decideEarly);
        result.whenComplete((segments, failure) -> patience.cancel());
        for (ChunkLocation location : reachable) {
            datanodes
                    .probeTail(location.address(), location.chunk(), location.volume(), group.token())
                    .whenComplete((probed, failure) -> owner.execute(() -> answered(location, probed, failure)));
        }
    }

    private void answered(ChunkLocation location, ChunkReply.TailProbed probed, Throwable failure) {
        int index = location.chunk().index();
        if (failure == null) {
            records.put(index, Optional.of(probed.record()));
            tails.put(index, probed.tail());
            if (probed.interrupted()) {
                interrupted.add(index);
            }
        } else if (EcfsException.of(failure).code() == ErrorCode.CHUNK_MISSING) {
            records.put(index, Optional.empty());
        }
        if (--waiting == 0) {
            decide();
        }
    }

    /** Decides without the slowest when the others have all that was acknowledged. */
    private void decideEarly() {
        if (waiting > 0 && group.policy().code().decodable(ChunkSet.of(records.keySet())) && !othersMayHoldMore()) {
            decide();
        }
    }

    private void decide() {
        if (result.isDone()) {
            return;
        }
        Optional<RecoverableLength> known = othersMayHoldMore()
                ? Optional.empty()
                : RecoverableLength.of(group.policy(), new TreeMap<>(records), tails);
        if (known.isPresent()) {
            result.complete(segments(known.get()));
        } else if (++rounds < MOST_ROUNDS) {
            // A writer at work is between two answers, or a datanode between two connections.
            owner.schedule(lateAfter, this::ask);
        } else {
            result.completeExceptionally(new EcfsException(
                    ErrorCode.GROUP_UNREADABLE,
                    "group " + group.group() + " is being written, and chunks " + records.keySet() + " of "
                            + group.chunks().size()
                            + ", which say what they have of it, do not give all that was acknowledged"));
        }
    }

    /**
     * Returns whether the chunks that answered may have less than what was acknowledged. The silent ones may answer
     * later, or never.
     */
    private boolean othersMayHoldMore() {
        ChunkSet silent = ChunkSet.of(group.chunks().stream()
                .map(location -> location.chunk().index())
                .filter(index -> !records.containsKey(index))
                .toList());
        return new UnreachableChunks(
                        group.policy(), new TreeMap<>(records), tails, silent, silent, ChunkSet.of(interrupted))
                .mayHoldMore();
    }

    private List<Segment> segments(RecoverableLength recoverable) {
        List<Segment> segments = new ArrayList<>();
        long whole = recoverable.fullStripeBytes();
        if (whole > 0) {
            LocatedGroup stripes = new LocatedGroup(
                            group.group(), group.policy(), whole, holding(recoverable), group.token())
                    .in(group.ring());
            segments.add(Segment.of(new Extent(fileOffset, whole, group.group(), 0), stripes));
        }
        if (recoverable.length() > whole) {
            List<TailSource> sources = group.chunks().stream()
                    .filter(location -> tails.containsKey(location.chunk().index()))
                    .map(location ->
                            new TailSource(location, tails.get(location.chunk().index())))
                    .toList();
            TailReader reader = tailReader.apply(sources);
            segments.add(new Segment(
                    new Extent(fileOffset + whole, recoverable.length() - whole, group.group(), whole),
                    group,
                    new GroupLayout(group.policy(), recoverable.length()),
                    Optional.of(reader::read)));
        }
        return segments;
    }

    /** Chunks that have all full stripes: the others would only be asked in vain. */
    private List<ChunkLocation> holding(RecoverableLength recoverable) {
        GroupLayout layout = new GroupLayout(group.policy(), recoverable.fullStripeBytes());
        return group.chunks().stream()
                .filter(location -> records.getOrDefault(location.chunk().index(), Optional.empty())
                        .filter(record -> RecoverableLength.holds(layout, record))
                        .isPresent())
                .toList();
    }
}
