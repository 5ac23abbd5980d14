package io.ecfs.wire.server;

import static io.ecfs.wire.server.Rights.Asker.DATANODE;
import static io.ecfs.wire.server.Rights.Asker.DATANODE_ITSELF;
import static io.ecfs.wire.server.Rights.Asker.NAMENODE;
import static io.ecfs.wire.server.Rights.Asker.USER;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.CancelCalls;
import io.ecfs.message.Failure;
import io.ecfs.message.Greeting;
import io.ecfs.message.Message;
import io.ecfs.message.Metering;
import io.ecfs.message.chunk.ChunkReads;
import io.ecfs.message.chunk.ChunkReply;
import io.ecfs.message.chunk.ChunkRequest;
import io.ecfs.message.chunk.VolumeLoad;
import io.ecfs.message.datanode.DatanodeReply;
import io.ecfs.message.datanode.DatanodeReport;
import io.ecfs.message.namespace.NamespaceReply;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.message.snapshot.SnapshotReply;
import io.ecfs.message.snapshot.SnapshotRequest;
import io.ecfs.wire.PeerIdentity;
import io.ecfs.wire.Session;
import io.ecfs.wire.codec.WireNumbers;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Rights to send messages: each message on the wire ({@link WireNumbers}) has one row here, its own or that of its
 * conversation, and is refused to all other peers before any handler sees it. The namenode checks the rights of users
 * to files.
 */
final class Rights {
    /** Identity that a caller needs to send a message. */
    enum Asker {
        /** Any caller, by its user name. */
        USER,
        /** Any proved datanode. */
        DATANODE,
        /** The proved datanode that the message names. */
        DATANODE_ITSELF,
        /** Any proved namenode. */
        NAMENODE
    }

    private record Row(Set<Asker> askers, List<Class<? extends Message>> messages) {}

    private static final List<Row> ROWS = List.of(
            // Greetings and answers: no requests.
            row(
                    EnumSet.noneOf(Asker.class),
                    List.of(
                            Greeting.Hello.class,
                            Greeting.Welcome.class,
                            Greeting.Prove.class,
                            Greeting.Proved.class,
                            Failure.class,
                            Metering.Counts.class,
                            VolumeLoad.Reply.class,
                            ChunkReply.class,
                            DatanodeReply.class,
                            SnapshotReply.class,
                            NamespaceReply.class)),
            row(EnumSet.allOf(Asker.class), List.of(Metering.ReadCounts.class, CancelCalls.class)),
            // Of a chunk, with a block token or the writer's number. Datanodes read what they rebuild from.
            row(
                    EnumSet.of(USER, DATANODE),
                    List.of(
                            VolumeLoad.Ask.class,
                            ChunkReads.class,
                            ChunkRequest.ReadChunk.class,
                            ChunkRequest.ReadChecksums.class,
                            ChunkRequest.ProbeChunk.class,
                            ChunkRequest.ProbeTail.class,
                            ChunkRequest.ReadTail.class)),
            // Of datanodes with the token of the client that they relay for, or that of a group that they rewrite to.
            row(
                    EnumSet.of(USER, DATANODE),
                    List.of(
                            ChunkRequest.OpenChunk.class,
                            ChunkRequest.WriteCells.class,
                            ChunkRequest.FinishChunk.class,
                            ChunkRequest.AbortChunk.class)),
            row(
                    EnumSet.of(USER),
                    List.of(
                            ChunkRequest.BeginRelay.class,
                            ChunkRequest.RelayCell.class,
                            ChunkRequest.PutChunk.class,
                            ChunkRequest.FindLocally.class,
                            ChunkRequest.WriteTail.class,
                            ChunkRequest.SyncChunk.class,
                            ChunkRequest.CheckChunk.class)),
            // Answered with the keys of block tokens and with orders.
            row(
                    EnumSet.of(DATANODE_ITSELF),
                    List.of(
                            DatanodeReport.Register.class,
                            DatanodeReport.Heartbeat.class,
                            DatanodeReport.FullReport.class,
                            DatanodeReport.ChangeReport.class,
                            DatanodeReport.AwaitOrders.class)),
            // Answered with the whole state, keys included.
            row(
                    EnumSet.of(NAMENODE),
                    List.of(
                            SnapshotRequest.OpenSnapshot.class,
                            SnapshotRequest.ReadSnapshot.class,
                            SnapshotRequest.CloseSnapshot.class,
                            SnapshotRequest.DescribeLog.class,
                            NamespaceRequest.GetNamenodeState.class)),
            row(EnumSet.of(USER, DATANODE), List.of(NamespaceRequest.ReportBadChunks.class)),
            // Which users, says NamespaceOperation.
            row(EnumSet.of(USER), List.of(NamespaceRequest.class)));

    private static final Map<Class<? extends Message>, Set<Asker>> ASKERS = index();

    private Rights() {}

    /**
     * Identities that may send a message.
     *
     * @throws IllegalStateException for one without a row, or with several
     */
    static Set<Asker> of(Class<? extends Message> message) {
        Set<Asker> askers = ASKERS.get(message);
        if (askers == null) {
            throw new IllegalStateException(message.getSimpleName() + " has not one row in the table of rights");
        }
        return askers;
    }

    /**
     * @param proofRequired whether a daemon must have proved its identity; if not, its stated role counts, as in
     *     releases of level 1
     * @throws EcfsException {@code UNSUPPORTED} for what is no request, {@code ACCESS_DENIED} for a caller without the
     *     right; the text has nothing of the caller's
     */
    static void require(Session session, Message message, boolean proofRequired) throws EcfsException {
        Set<Asker> askers = of(message.getClass());
        String name = message.getClass().getSimpleName();
        if (askers.isEmpty()) {
            throw new EcfsException(ErrorCode.UNSUPPORTED, name + " is no request");
        }
        PeerIdentity peer = session.identity();
        boolean may = peer instanceof PeerIdentity.User
                ? askers.contains(USER) || (!proofRequired && maySay(session.role(), askers, message))
                : may(peer, askers, message);
        if (may) {
            return;
        }
        throw new EcfsException(
                ErrorCode.ACCESS_DENIED,
                "the caller at " + session.remote() + " may not send " + name + ": "
                        + (askers.contains(DATANODE_ITSELF)
                                ? "the datanode that it speaks for may, which proves that by the cluster's join"
                                        + " token: copy the file from a namenode to its machine and start it again"
                                : askers.contains(NAMENODE)
                                        ? "namenodes may, which prove that by the cluster's join token"
                                        : "it is for users, and the caller is a daemon"));
    }

    private static boolean may(PeerIdentity peer, Set<Asker> askers, Message message) {
        if (peer instanceof PeerIdentity.Datanode datanode) {
            return askers.contains(DATANODE)
                    || (askers.contains(DATANODE_ITSELF)
                            && message instanceof DatanodeReport report
                            && report.datanode().equals(datanode.id()));
        }
        return peer instanceof PeerIdentity.Namenode && askers.contains(NAMENODE);
    }

    private static boolean maySay(String role, Set<Asker> askers, Message message) {
        return PeerIdentity.daemon(role)
                .filter(daemon -> may(daemon, askers, message))
                .isPresent();
    }

    private static Row row(Set<Asker> askers, List<Class<? extends Message>> messages) {
        return new Row(Set.copyOf(askers), messages);
    }

    private static Map<Class<? extends Message>, Set<Asker>> index() {
        Map<Class<? extends Message>, Set<Asker>> index = new HashMap<>();
        for (Class<? extends Message> message : WireNumbers.all().values()) {
            List<Row> rows = rows(message::equals);
            if (rows.isEmpty()) {
                rows = rows(kind -> kind.isAssignableFrom(message));
            }
            if (rows.size() == 1) {
                index.put(message, rows.get(0).askers());
            }
        }
        return Map.copyOf(index);
    }

    private static List<Row> rows(Predicate<Class<? extends Message>> covers) {
        return ROWS.stream()
                .filter(row -> row.messages().stream().anyMatch(covers))
                .toList();
    }
}
