package io.ecfs.client.read;

import io.ecfs.code.ChunkSet;
import io.ecfs.env.Cancellable;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;

/**
 * A group that is being written, as its datanodes have it now: what was acknowledged, and perhaps a little more (HDFS:
 * the visible length). All that can be reached are asked, since an acknowledged record may be on m + 1 of them only.
 */
final class OpenGroup {
    private static final int MOST_LOOKS = 3;

    private final ReadServices services;
    private final LocatedGroup group;
    private final Map<Integer, Optional<ChunkRecord>> records = new TreeMap<>();
    private final Map<Integer, TailCoverage> tails = new TreeMap<>();
    private final Set<Integer> interrupted = new TreeSet<>();
    private final CompletableFuture<List<Segment>> result = new CompletableFuture<>();
    private final long fileOffset;
    private int waiting;
    private int looks;

    private OpenGroup(ReadServices services, LocatedGroup group, long fileOffset) {
        this.services = services;
        this.group = group;
        this.fileOffset = fileOffset;
    }

    /**
     * @param fileOffset where in the file the group begins
     * @return the segments it has for readers, none while it is empty; fails with {@code GROUP_UNREADABLE} when those
     *     that answer, several times over, may not give all that was acknowledged
     */
    static CompletableFuture<List<Segment>> look(ReadServices services, LocatedGroup group, long fileOffset) {
        OpenGroup open = new OpenGroup(services, group, fileOffset);
        services.owner().execute(open::ask);
        return services.pending().with(open.result);
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
        Cancellable patience = services.owner().schedule(services.config().lateAfter(), this::decideEarly);
        result.whenComplete((segments, failure) -> patience.cancel());
        for (ChunkLocation location : reachable) {
            services.datanodes()
                    .probeTail(location.address(), location.chunk(), location.volume(), group.token())
                    .whenComplete(
                            (probed, failure) -> services.owner().execute(() -> answered(location, probed, failure)));
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

    /** The last ones are slow: what the others have is enough when it has all that was acknowledged. */
    private void decideEarly() {
        if (waiting > 0 && group.policy().code().decodable(ChunkSet.of(records.keySet())) && !othersMayHoldMore()) {
            decide();
        }
    }

    private void decide() {
        if (result.isDone()) {
            return;
        }
        Optional<RecoverableLength> held = othersMayHoldMore()
                ? Optional.empty()
                : RecoverableLength.of(group.policy(), new TreeMap<>(records), tails);
        if (held.isPresent()) {
            result.complete(segments(held.get()));
        } else if (++looks < MOST_LOOKS) {
            // A writer at work is between two answers, or a datanode between two connections.
            services.owner().schedule(services.config().lateAfter(), this::ask);
        } else {
            result.completeExceptionally(new EcfsException(
                    ErrorCode.GROUP_UNREADABLE,
                    "group " + group.group() + " is being written, and chunks " + records.keySet() + " of "
                            + group.chunks().size()
                            + ", which say what they have of it, do not give all that was acknowledged"));
        }
    }

    /**
     * What those have who answered may be less than what was acknowledged. Whether the silent ones come back nobody
     * here knows.
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

    private List<Segment> segments(RecoverableLength held) {
        List<Segment> segments = new ArrayList<>();
        long whole = held.fullStripeBytes();
        if (whole > 0) {
            LocatedGroup stripes = new LocatedGroup(group.group(), group.policy(), whole, holding(held), group.token());
            segments.add(Segment.of(new Extent(fileOffset, whole, group.group(), 0), stripes));
        }
        if (held.length() > whole) {
            List<TailSource> sources = group.chunks().stream()
                    .filter(location -> tails.containsKey(location.chunk().index()))
                    .map(location ->
                            new TailSource(location, tails.get(location.chunk().index())))
                    .toList();
            TailReader reader = new TailReader(
                    services.datanodes(),
                    group.policy(),
                    services.codes().of(group.policy().code()),
                    group.token(),
                    sources,
                    services.decoders(),
                    services.scratch());
            segments.add(new Segment(
                    new Extent(fileOffset + whole, held.length() - whole, group.group(), whole),
                    group,
                    new GroupLayout(group.policy(), held.length()),
                    Optional.of(reader)));
        }
        return segments;
    }

    /** Chunks that have all full stripes: the others would only be asked in vain. */
    private List<ChunkLocation> holding(RecoverableLength held) {
        GroupLayout layout = new GroupLayout(group.policy(), held.fullStripeBytes());
        return group.chunks().stream()
                .filter(location -> records.getOrDefault(location.chunk().index(), Optional.empty())
                        .filter(record -> RecoverableLength.holds(layout, record))
                        .isPresent())
                .toList();
    }
}
