package io.ecfs.namenode.rpc;

import io.ecfs.code.ParityCheck.Finding;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.GroupLayout;
import io.ecfs.layout.Stamp;
import io.ecfs.message.Address;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.VolumeId;
import io.ecfs.message.VolumeState;
import io.ecfs.message.chunk.ChunkChange;
import io.ecfs.message.chunk.ChunkLocation;
import io.ecfs.message.chunk.ChunkRecord;
import io.ecfs.message.chunk.ChunkState;
import io.ecfs.message.chunk.RebuildWork;
import io.ecfs.message.datanode.DatanodeLoad;
import io.ecfs.message.datanode.DatanodeOrder;
import io.ecfs.message.datanode.DatanodeReply;
import io.ecfs.message.datanode.DatanodeReport;
import io.ecfs.message.ring.RingClock;
import io.ecfs.message.ring.RingVolumeStatus;
import io.ecfs.namenode.command.CallerIdentity;
import io.ecfs.namenode.deletion.NamelessChunks;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;

/**
 * The datanode's side of the conversation with one volume and no disk: it reports and obeys, and its messages may get
 * lost.
 */
public final class PretendDatanode {
    static final long CAPACITY = 1L << 40;

    /** What this datanode still has to tell one namenode. */
    private static final class Link {
        boolean registered;
        boolean fullReportDue;
        final ArrayDeque<ChunkChange> changes = new ArrayDeque<>();
    }

    private static final CallerIdentity ANYBODY = new CallerIdentity("datanode", List.of());

    public final DatanodeId id;
    public final String uuid;
    public final TreeMap<ChunkId, ChunkRecord> chunks = new TreeMap<>();
    public final TreeSet<ChunkId> deleted = new TreeSet<>();
    private final TestCluster cluster;
    private final String rack;
    private final TreeMap<String, Link> links = new TreeMap<>();
    private final SplittableRandom random;
    private long reports;
    private long sequence;
    private long highestTerm;
    private Optional<VolumeId> volume = Optional.empty();
    public boolean alive = true;
    public long capacity = CAPACITY;
    /** What it says of its load. */
    public Optional<DatanodeLoad> busy = Optional.empty();

    public int lostOfHundred;
    /** The disk is gone: the datanode no longer speaks of its volume. */
    public boolean volumeLost;
    /** Of its volume. A failed one does nothing that it is told. */
    public VolumeState state = VolumeState.HEALTHY;
    /** Chunks that it was to verify while its volume was failed, in the last answer to a heartbeat. */
    public final List<ChunkId> unverified = new ArrayList<>();
    /** Chunks that it was told to verify, and did. */
    final List<ChunkId> verified = new ArrayList<>();

    /** What it does with an order to rebuild a chunk. */
    public enum Rebuilding {
        AT_ONCE,
        FAILS,
        /** What it computes differs from the chunk that it is to replace. */
        DISPUTES,
        /** What it computes from one set of sources differs from what it computes from another. */
        SOURCES_DIFFER,
        TAKES_FOR_EVER
    }

    public Rebuilding rebuilding = Rebuilding.AT_ONCE;

    /** What it does with an order to check a group's parity. */
    public enum Checking {
        AT_ONCE,
        READS_NOTHING,
        TAKES_FOR_EVER
    }

    public Checking checking = Checking.AT_ONCE;
    public final List<DatanodeOrder.Rebuild> ordered = new ArrayList<>();
    /** Whether it gives chunks the full stripes that they lack. */
    public boolean fills = true;

    public final List<DatanodeOrder.FillStripes> filled = new ArrayList<>();
    /** Groups whose parity it was to check. */
    public final List<GroupId> checked = new ArrayList<>();

    public final List<DatanodeOrder.Compare> compared = new ArrayList<>();

    /** What becomes of a group that it is to fill. */
    public enum Rewriting {
        SUCCEEDS,
        FAILS,
        TAKES_FOR_EVER
    }

    public Rewriting rewriting = Rewriting.SUCCEEDS;
    public final List<DatanodeOrder.Rewrite> rewritten = new ArrayList<>();
    /** Clocks of rings in the last answer of a leader; empty: it had none. */
    public List<RingClock> clocks = List.of();

    /** Most bytes of its volume's journal; empty: it has none. */
    public Optional<Long> journalBound = Optional.of(1L << 30);

    /** What it says of its volume in a ring. */
    public Optional<List<RingVolumeStatus>> rings = Optional.empty();

    /** Full reports stay in the datanode. */
    public boolean reportsHeld;

    public PretendDatanode(TestCluster cluster, int number, String rack) {
        this.cluster = cluster;
        this.id = new DatanodeId("dn" + number);
        this.uuid = "uuid-" + number;
        this.rack = rack;
        this.random = new SplittableRandom(cluster.seed * 31 + number);
    }

    public VolumeId volume() {
        return volume.orElseThrow();
    }

    public boolean registered() {
        return volume.isPresent();
    }

    /** A record without a stamp gets that of its group. */
    public void put(ChunkRecord unstamped) {
        ChunkRecord record = unstamped.stamp() == 0
                ? stamped(unstamped, cluster.stampOf(unstamped.chunk().group()))
                : unstamped;
        chunks.put(record.chunk(), record);
        changed(new ChunkChange.Present(volume(), record));
    }

    /** The header of a chunk is lost, and with it the stamp. */
    public void loseHeader(ChunkId chunk) {
        ChunkRecord record = new ChunkRecord(chunk, ChunkState.CORRUPT, 0, 0, -1, Stamp.NONE);
        chunks.put(chunk, record);
        changed(new ChunkChange.Present(volume(), record));
    }

    public void restart() {
        alive = true;
        links.clear();
    }

    private void changed(ChunkChange change) {
        links.values().forEach(link -> link.changes.add(change));
    }

    /** One turn: a message to every namenode that is up. */
    public void beat() {
        if (alive) {
            cluster.namenodes.keySet().forEach(this::talk);
        }
    }

    private void talk(String namenode) {
        Link link = links.computeIfAbsent(namenode, n -> new Link());
        if (!link.registered) {
            send(namenode, link, register());
        } else if (link.fullReportDue && volume.isPresent() && !volumeLost && !reportsHeld) {
            link.fullReportDue = false;
            link.changes.clear();
            sendFully(namenode, link);
        } else if (!link.changes.isEmpty()) {
            List<ChunkChange> page = List.copyOf(link.changes);
            link.changes.clear();
            send(namenode, link, new DatanodeReport.ChangeReport(id, uuid, ++sequence, page));
        }
        send(namenode, link, new DatanodeReport.Heartbeat(id, uuid, load(), busy, Optional.empty(), rings));
    }

    public DatanodeReport.Register register() {
        return new DatanodeReport.Register(
                id,
                uuid,
                ++sequence,
                "",
                Registration.LAYOUT_VERSION,
                new Address(id.name(), 9866),
                rack,
                volumeLost
                        ? List.of()
                        : List.of(new DatanodeReport.VolumeOffer(
                                "vol-" + uuid, capacity, Optional.of("/disk/" + id), journalBound)));
    }

    private List<DatanodeReport.VolumeStatus> load() {
        long used = chunks.values().stream().mapToLong(ChunkRecord::bytes).sum();
        return volume.filter(v -> !volumeLost)
                .map(v -> List.of(new DatanodeReport.VolumeStatus(
                        v, state, capacity, used, Math.max(0, capacity - used), chunks.size(), 0, 0)))
                .orElse(List.of());
    }

    private void sendFully(String namenode, Link link) {
        reports++;
        List<ChunkRecord> all = List.copyOf(chunks.values());
        int half = all.size() / 2;
        send(
                namenode,
                link,
                new DatanodeReport.FullReport(id, uuid, ++sequence, volume(), reports, 0, false, all.subList(0, half)));
        send(
                namenode,
                link,
                new DatanodeReport.FullReport(
                        id, uuid, ++sequence, volume(), reports, 1, true, all.subList(half, all.size())));
    }

    /** Lost on the way there or back, the report is made again. */
    private void send(String namenode, Link link, DatanodeReport report) {
        if (lost()) {
            again(link, report);
            return;
        }
        CompletableFuture<?> unused = cluster.namenodes
                .get(namenode)
                .handle(ANYBODY, !cluster.unproved.contains(id.name()), report)
                .whenComplete((reply, failure) -> {
                    if (!alive || links.get(namenode) != link) {
                        return;
                    }
                    if (failure != null || lost()) {
                        again(link, report);
                    } else {
                        take(link, report, (DatanodeReply) reply);
                    }
                });
    }

    private boolean lost() {
        return random.nextInt(100) < lostOfHundred;
    }

    private void again(Link link, DatanodeReport report) {
        if (report instanceof DatanodeReport.FullReport || report instanceof DatanodeReport.ChangeReport) {
            link.fullReportDue = true;
        }
    }

    private void take(Link link, DatanodeReport report, DatanodeReply reply) {
        if (reply instanceof DatanodeReply.Registered registered) {
            volume = Optional.of(registered.volumes().get("vol-" + uuid));
            link.registered = true;
            link.fullReportDue = true;
        } else if (reply instanceof DatanodeReply.RegisterAgain) {
            link.registered = false;
            again(link, report);
        } else if (reply instanceof DatanodeReply.HeartbeatReply heard && heard.term() >= highestTerm) {
            highestTerm = heard.term();
            heard.rings().ifPresent(heardOf -> clocks = heardOf);
            obey(List.copyOf(heard.orders()));
        }
    }

    private void obey(List<DatanodeOrder> orders) {
        if (state == VolumeState.HEALTHY) {
            orders.forEach(this::obey);
            return;
        }
        unverified.clear();
        orders.stream()
                .filter(DatanodeOrder.Verify.class::isInstance)
                .forEach(order -> unverified.add(((DatanodeOrder.Verify) order).chunk()));
    }

    private void obey(DatanodeOrder order) {
        if (order instanceof DatanodeOrder.Delete delete) {
            Optional<ChunkRecord> other = Optional.ofNullable(chunks.get(delete.chunk()))
                    .filter(record -> record.stamp() != delete.stamp() && !NamelessChunks.nameless(record));
            if (other.isEmpty() && chunks.remove(delete.chunk()) != null) {
                deleted.add(delete.chunk());
            }
            changed(new ChunkChange.Gone(volume(), delete.chunk()));
            other.ifPresent(record -> changed(new ChunkChange.Present(volume(), record)));
        } else if (order instanceof DatanodeOrder.Fence fence) {
            ChunkRecord record = chunks.get(fence.chunk());
            changed(
                    record == null
                            ? new ChunkChange.Gone(volume(), fence.chunk())
                            : new ChunkChange.Fenced(volume(), record, fence.fence()));
        } else if (order instanceof DatanodeOrder.Finalise finalise) {
            ChunkRecord record = chunks.get(finalise.chunk());
            if (record != null && record.state() == ChunkState.BEING_WRITTEN) {
                put(new ChunkRecord(
                        record.chunk(),
                        ChunkState.FINALISED,
                        finalise.chunkBytes(),
                        finalise.chunkBytes(),
                        finalise.groupLength(),
                        Stamp.NONE));
            }
        } else if (order instanceof DatanodeOrder.FillStripes fill) {
            fillStripes(fill);
        } else if (order instanceof DatanodeOrder.Rebuild rebuild) {
            rebuild(rebuild);
        } else if (order instanceof DatanodeOrder.ReportFully) {
            links.values().forEach(link -> link.fullReportDue = true);
        } else if (order instanceof DatanodeOrder.CheckParity check) {
            checked.add(check.group());
            if (cluster.heldChecks.contains(check.group()) || checking == Checking.TAKES_FOR_EVER) {
                return;
            }
            boolean failed = check.chunks().stream().anyMatch(chunk -> cluster.at(chunk).state == VolumeState.FAILED);
            boolean unread = checking == Checking.READS_NOTHING || (cluster.failedVolumesUnread && failed);
            Optional<ChunkId> wrong = check.chunks().stream()
                    .map(ChunkLocation::chunk)
                    .filter(cluster.wrong::contains)
                    .findFirst();
            Finding finding = cluster.parity == Finding.ONE_WRONG && wrong.isEmpty() ? Finding.ALIKE : cluster.parity;
            changed(new ChunkChange.ParityChecked(
                    check.volume(), check.group(), unread ? Optional.empty() : Optional.of(finding), wrong));
        } else if (order instanceof DatanodeOrder.Compare compare) {
            if (cluster.comparing.isZero()) {
                compared.add(compare);
                compare(compare);
            } else if (!compared.contains(compare)) {
                compared.add(compare);
                cluster.time.scheduler("comparisons").schedule(cluster.comparing, () -> compare(compare));
            }
        } else if (order instanceof DatanodeOrder.Rewrite rewrite) {
            rewrite(rewrite);
        } else if (order instanceof DatanodeOrder.Condemn condemn) {
            ChunkRecord record = chunks.get(condemn.chunk());
            put(new ChunkRecord(
                    record.chunk(),
                    ChunkState.CORRUPT,
                    record.bytes(),
                    record.fullStripeBytes(),
                    record.groupLength(),
                    Stamp.NONE));
        } else if (order instanceof DatanodeOrder.Verify verify) {
            ChunkRecord record = chunks.get(verify.chunk());
            verified.add(verify.chunk());
            changed(
                    record == null
                            ? new ChunkChange.Gone(volume(), verify.chunk())
                            : new ChunkChange.Present(volume(), record));
        }
    }

    /** Rebuilds a chunk as ordered, of which one namenode hears nothing. */
    public void rebuildUnheardBy(String namenode, DatanodeOrder.Rebuild order, RebuildWork work) {
        ChunkRecord record = rebuilt(order);
        chunks.put(order.chunk(), record);
        links.forEach((other, link) -> {
            if (!other.equals(namenode)) {
                link.changes.add(new ChunkChange.Present(volume(), record, Optional.of(work)));
            }
        });
    }

    private static ChunkRecord rebuilt(DatanodeOrder.Rebuild order) {
        long bytes = new GroupLayout(order.policy(), order.groupLength())
                .chunkBytes(order.chunk().index());
        return new ChunkRecord(
                order.chunk(),
                ChunkState.FINALISED,
                bytes,
                bytes,
                order.groupLength(),
                order.token().stamp());
    }

    private void rewrite(DatanodeOrder.Rewrite order) {
        rewritten.add(order);
        if (rewriting == Rewriting.TAKES_FOR_EVER) {
            return;
        }
        boolean succeeds = rewriting == Rewriting.SUCCEEDS;
        changed(new ChunkChange.Rewritten(
                order.volume(),
                order.target().group(),
                Optional.of(order.target().stamp()),
                order.length(),
                succeeds ? cluster.fill(order) : List.of(),
                succeeds ? "" : "a source is corrupt"));
    }

    /** Puts all chunks of the group on disk, and answers an order for its number and another stamp. */
    public void rewriteAndAnswerForAnotherStamp(DatanodeOrder.Rewrite order) {
        changed(new ChunkChange.Rewritten(
                order.volume(),
                order.target().group(),
                Optional.of(order.target().stamp() + 1),
                order.length(),
                cluster.fill(order),
                ""));
    }

    private void compare(DatanodeOrder.Compare order) {
        boolean alike = !cluster.liars.contains(order.fresh().chunk()) && !cluster.falseReaders.contains(id);
        changed(new ChunkChange.Compared(
                order.volume(),
                order.fresh().chunk(),
                order.old().chunk(),
                cluster.unread.contains(order.fresh().chunk()) ? Optional.empty() : Optional.of(alike)));
    }

    private void fillStripes(DatanodeOrder.FillStripes order) {
        filled.add(order);
        if (fills && chunks.get(order.chunk()).state() == ChunkState.BEING_WRITTEN) {
            long bytes = new GroupLayout(order.policy(), order.groupLength()).fullStripeChunkBytes();
            put(new ChunkRecord(order.chunk(), ChunkState.BEING_WRITTEN, bytes, bytes, -1, Stamp.NONE));
        }
    }

    private void rebuild(DatanodeOrder.Rebuild order) {
        ordered.add(order);
        if (rebuilding == Rebuilding.SOURCES_DIFFER) {
            changed(new ChunkChange.RepairFailed(
                    volume(), order.chunk(), "they differ", Optional.empty(), Optional.of(order.chunk())));
        } else if (rebuilding == Rebuilding.FAILS) {
            changed(new ChunkChange.RepairFailed(volume(), order.chunk(), "no luck", Optional.empty()));
        } else if (rebuilding == Rebuilding.DISPUTES) {
            changed(new ChunkChange.RepairFailed(
                    volume(),
                    order.chunk(),
                    "it differs",
                    Optional.empty(),
                    order.original().map(ChunkLocation::chunk)));
        } else if (rebuilding == Rebuilding.AT_ONCE) {
            put(rebuilt(order));
        }
    }

    public static ChunkRecord stamped(ChunkRecord record, int stamp) {
        return new ChunkRecord(
                record.chunk(), record.state(), record.bytes(), record.fullStripeBytes(), record.groupLength(), stamp);
    }
}
