package io.ecfs.client.location;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ecfs.buffer.BufferPool;
import io.ecfs.client.base.Pending;
import io.ecfs.code.ChunkSet;
import io.ecfs.code.construction.Codes;
import io.ecfs.env.Scheduler;
import io.ecfs.env.Workers;
import io.ecfs.layout.Extent;
import io.ecfs.layout.GroupId;
import io.ecfs.message.chunk.ChunkLocation;
import io.ecfs.message.chunk.TailSource;
import io.ecfs.message.namespace.LocatedGroup;
import io.ecfs.tail.TailReader;
import io.ecfs.transfer.ChunkClient;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** {@link OpenGroups} as the datanodes report them. Safe for use by several threads. */
public final class OpenGroupProbes implements OpenGroups {
    /** Groups of packs. */
    private static final int REMEMBERED = 256;

    private final ChunkClient datanodes;
    private final Codes codes;
    private final Scheduler owner;
    private final Pending pending;
    private final Workers decoders;
    private final BufferPool scratch;
    private final Duration lateAfter;

    /** Of groups of packs, of which many files are read. */
    @GuardedBy("this")
    private final Map<GroupId, FullStripes> fullStripes = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<GroupId, FullStripes> eldest) {
            return size() > REMEMBERED;
        }
    };

    /** So many group bytes are in full stripes, which these chunks have. */
    private record FullStripes(long bytes, ChunkSet chunks) {}

    public OpenGroupProbes(
            ChunkClient datanodes,
            Codes codes,
            Scheduler owner,
            Pending pending,
            Workers decoders,
            BufferPool scratch,
            Duration lateAfter) {
        this.datanodes = datanodes;
        this.codes = codes;
        this.owner = owner;
        this.pending = pending;
        this.decoders = decoders;
        this.scratch = scratch;
        this.lateAfter = lateAfter;
    }

    @Override
    public CompletableFuture<List<Segment>> segments(LocatedGroup group, long fileOffset) {
        return pending.with(new OpenGroupProbe(
                        datanodes, owner, lateAfter, sources -> tailReader(group, sources), group, fileOffset)
                .start());
    }

    @Override
    public CompletableFuture<List<Segment>> packed(LocatedGroup group, Extent extent) {
        Optional<LocatedGroup> stripes =
                known(group).filter(known -> extent.groupOffset() + extent.length() <= known.length());
        if (stripes.isPresent()) {
            return CompletableFuture.completedFuture(List.of(Segment.of(extent, stripes.get())));
        }
        return segments(group, 0).thenApply(parts -> {
            parts.stream().filter(part -> part.source().isEmpty()).forEach(part -> remember(group, part.group()));
            return parts.stream().flatMap(part -> part.of(extent).stream()).toList();
        });
    }

    /** The full stripes of the group, as far as they are known: they stay where they are. */
    private synchronized Optional<LocatedGroup> known(LocatedGroup group) {
        FullStripes known = fullStripes.get(group.group());
        return Optional.ofNullable(known)
                .map(stripes -> new LocatedGroup(
                                group.group(),
                                group.policy(),
                                stripes.bytes(),
                                group.chunks().stream()
                                        .filter(chunk -> stripes.chunks()
                                                .contains(chunk.chunk().index()))
                                        .toList(),
                                group.token())
                        .in(group.ring()));
    }

    /** Only what all chunks within reach have: others of them serve when some of these fail. */
    private synchronized void remember(LocatedGroup group, LocatedGroup stripes) {
        long reachable = group.chunks().stream()
                .filter(chunk -> chunk.state() != ChunkLocation.State.UNREACHABLE)
                .count();
        FullStripes known = fullStripes.get(group.group());
        if (stripes.chunks().size() == reachable && (known == null || known.bytes() < stripes.length())) {
            ChunkSet chunks = ChunkSet.of(stripes.chunks().stream()
                    .map(chunk -> chunk.chunk().index())
                    .toList());
            fullStripes.put(group.group(), new FullStripes(stripes.length(), chunks));
        }
    }

    private TailReader tailReader(LocatedGroup group, List<TailSource> sources) {
        return new TailReader(
                datanodes, group.policy(), codes.of(group.policy().code()), group.token(), sources, decoders, scratch);
    }
}
