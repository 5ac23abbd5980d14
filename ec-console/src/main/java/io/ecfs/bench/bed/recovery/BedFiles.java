package io.ecfs.bench.bed.recovery;

import io.ecfs.error.EcfsException;
import io.ecfs.error.Invariant;
import io.ecfs.layout.GroupLayout;
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
 * chose. With few placement sets the first groups are placed freely, and those after them on their datanodes: their
 * writer avoids all others.
 */
final class BedFiles {
    private static final int AT_ONCE = 256;
    private static final Duration STEP = Duration.ofMillis(100);
    private static final Duration RETRY = Duration.ofSeconds(1);
    private static final long MOST_NANOS = Duration.ofHours(10).toNanos();

    private final VirtualTime time;
    private final BedNamenode namenode;
    private final Map<DatanodeId, PretendDatanode> datanodes;
    private final StoredData data;
    private final List<List<DatanodeId>> sets = new ArrayList<>();
    private int next;
    private int done;

    BedFiles(
            VirtualTime time, BedNamenode namenode, Map<DatanodeId, PretendDatanode> datanodes, StoredData data) {
        this.time = time;
        this.namenode = namenode;
        this.datanodes = datanodes;
        this.data = data;
    }

    void make() {
        int first = Math.min(data.files(), Math.max(1, data.placementSets()));
        makeUpTo(first); // sets of others are those of these
        makeUpTo(data.files());
    }

    private void makeUpTo(int end) {
        int writers = Math.min(AT_ONCE, end - next);
        for (int i = 0; i < writers; i++) {
            makeNext(end);
        }
        long until = time.nanos() + MOST_NANOS;
        while (done < end) {
            Invariant.check(time.nanos() < until, "%s files of %s were made", done, end);
            time.pass(STEP);
        }
    }

    private void makeNext(int end) {
        if (next < end) {
            make(next++, end);
        }
    }

    private void make(int number, int end) {
        CompletableFuture<?> unused = file(number).whenComplete((made, failure) -> {
            if (failure == null) {
                done++;
                makeNext(end);
            } else if (EcfsException.of(failure).code().retryable()) {
                time.after(RETRY.toNanos(), () -> make(number, end));
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
            var inode = ((NamespaceReply.Status) reply).status().inode();
            return namenode.ask(
                            new NamespaceRequest.AddGroup(new RequestId(client, 2), inode, Optional.empty(), avoid))
                    .thenCompose(added -> complete(
                            new RequestId(client, 3), inode, ((NamespaceReply.Allocated) added).group()));
        });
    }

    private CompletableFuture<NamespaceReply> complete(
            RequestId request, io.ecfs.layout.InodeId file, LocatedGroup group) {
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
