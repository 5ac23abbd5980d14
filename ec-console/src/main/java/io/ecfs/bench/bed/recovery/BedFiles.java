package io.ecfs.bench.bed.recovery;

import io.ecfs.error.EcfsException;
import io.ecfs.error.Invariant;
import io.ecfs.layout.GroupLayout;
import io.ecfs.layout.InodeId;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.FilePath;
import io.ecfs.message.RequestId;
import io.ecfs.message.chunk.ChunkLocation;
import io.ecfs.message.chunk.ChunkRecord;
import io.ecfs.message.chunk.ChunkState;
import io.ecfs.message.namespace.LocatedGroup;
import io.ecfs.message.namespace.NamespaceReply;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.message.namespace.SealedGroup;
import io.ecfs.sim.time.SimulationFailure;
import io.ecfs.sim.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Makes files of one group each by the commands of a writer, and puts their chunks on the datanodes that the namenode
 * chose. They come at the pace of the disks: the namenode counts what it placed on a datanode lately, so that thousands
 * in a second would not be spread as those of real writers are. With few placement sets the first groups are placed
 * freely, and those after them on their datanodes: their writer avoids all others.
 */
final class BedFiles {
    private static final Duration STEP = Duration.ofMillis(100);
    private static final Duration RETRY = Duration.ofSeconds(1);
    private static final long MOST_NANOS = Duration.ofHours(10).toNanos();

    private final VirtualTime time;
    private final BedNamenode namenode;
    private final Map<DatanodeId, PretendDatanode> datanodes;
    private final StoredData data;
    private final List<List<DatanodeId>> sets = new ArrayList<>();
    private final long nanosApart;
    private int done;

    /** @param nanosApart from the begin of one file to that of the next: what disks need to take it, or more */
    BedFiles(
            VirtualTime time,
            BedNamenode namenode,
            Map<DatanodeId, PretendDatanode> datanodes,
            StoredData data,
            long nanosApart) {
        this.time = time;
        this.nanosApart = nanosApart;
        this.namenode = namenode;
        this.datanodes = datanodes;
        this.data = data;
    }

    void make() {
        int first = Math.min(data.files(), Math.max(1, data.placementSets()));
        makeFrom(0, first); // sets of others are those of these
        makeFrom(first, data.files());
    }

    private void makeFrom(int from, int to) {
        for (int number = from; number < to; number++) {
            int file = number;
            time.after((number - from) * nanosApart, () -> make(file));
        }
        long until = time.nanos() + (to - from) * nanosApart + MOST_NANOS;
        while (done < to) {
            Invariant.check(time.nanos() < until, "%s files of %s were made", done, to);
            time.pass(STEP);
        }
    }

    private void make(int number) {
        CompletableFuture<?> unused = file(number).whenComplete((made, failure) -> {
            if (failure == null) {
                done++;
            } else if (EcfsException.of(failure).code().retryable()) {
                time.after(RETRY.toNanos(), () -> make(number));
            } else {
                time.raise(new SimulationFailure("file " + number + " cannot be made", failure));
            }
        });
    }

    private CompletableFuture<NamespaceReply> file(int number) {
        String client = "writer-" + number;
        NamespaceRequest.Create create = new NamespaceRequest.Create(
                new RequestId(client, 1),
                new FilePath("/files/" + number),
                0644,
                true,
                true,
                Optional.of(data.policy()));
        if (number < data.placementSets() || data.placementSets() == 0) {
            return namenode.ask(create).thenCompose(reply -> {
                NamespaceReply.Created created = (NamespaceReply.Created) reply;
                if (number < data.placementSets()) {
                    sets.add(created.first().chunks().stream()
                            .map(ChunkLocation::datanode)
                            .toList());
                }
                return complete(new RequestId(client, 2), created.status().inode(), created.first());
            });
        }
        List<DatanodeId> set = sets.get(number % sets.size());
        List<DatanodeId> avoid =
                datanodes.keySet().stream().filter(id -> !set.contains(id)).toList();
        return namenode.ask(new NamespaceRequest.CreateWithoutGroup(create)).thenCompose(reply -> {
            InodeId inode = ((NamespaceReply.Status) reply).status().inode();
            return namenode.ask(new NamespaceRequest.AddGroup(new RequestId(client, 2), inode, Optional.empty(), avoid))
                    .thenCompose(added ->
                            complete(new RequestId(client, 3), inode, ((NamespaceReply.Allocated) added).group()));
        });
    }

    private CompletableFuture<NamespaceReply> complete(RequestId request, InodeId file, LocatedGroup group) {
        GroupLayout layout = new GroupLayout(group.policy(), data.fileBytes());
        for (ChunkLocation chunk : group.chunks()) {
            long bytes = layout.chunkBytes(chunk.chunk().index());
            datanodes
                    .get(chunk.datanode())
                    .put(
                            new ChunkRecord(
                                    chunk.chunk(),
                                    ChunkState.FINALISED,
                                    bytes,
                                    bytes,
                                    data.fileBytes(),
                                    group.token().stamp()),
                            Optional.empty());
        }
        SealedGroup sealed = new SealedGroup(
                group.group(),
                data.fileBytes(),
                group.chunks().stream().map(ChunkLocation::chunk).toList());
        return namenode.ask(new NamespaceRequest.CompleteFile(request, file, Optional.of(sealed)));
    }
}
