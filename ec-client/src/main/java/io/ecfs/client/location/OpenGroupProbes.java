package io.ecfs.client.location;

import io.ecfs.buffer.BufferPool;
import io.ecfs.client.base.Pending;
import io.ecfs.code.construction.Codes;
import io.ecfs.env.Scheduler;
import io.ecfs.env.Workers;
import io.ecfs.message.chunk.TailSource;
import io.ecfs.message.namespace.LocatedGroup;
import io.ecfs.tail.TailReader;
import io.ecfs.transfer.ChunkClient;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** {@link OpenGroups} as the datanodes report them. Safe for use by several threads. */
public final class OpenGroupProbes implements OpenGroups {
    private final ChunkClient datanodes;
    private final Codes codes;
    private final Scheduler owner;
    private final Pending pending;
    private final Workers decoders;
    private final BufferPool scratch;
    private final Duration lateAfter;

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

    private TailReader tailReader(LocatedGroup group, List<TailSource> sources) {
        return new TailReader(
                datanodes, group.policy(), codes.of(group.policy().code()), group.token(), sources, decoders, scratch);
    }
}
