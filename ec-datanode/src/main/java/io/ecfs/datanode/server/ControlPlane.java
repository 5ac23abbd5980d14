package io.ecfs.datanode.server;

import io.ecfs.datanode.repair.Repairer;
import io.ecfs.datanode.rewrite.Rewriter;
import io.ecfs.datanode.server.load.LoadMeter;
import io.ecfs.datanode.store.DatanodeHome;
import io.ecfs.datanode.store.Volume;
import io.ecfs.datanode.store.queue.TaskBatchTimes;
import io.ecfs.datanode.store.ring.DrainRunner;
import io.ecfs.datanode.store.ring.turn.RingTurns;
import io.ecfs.env.Clock;
import io.ecfs.env.Environment;
import io.ecfs.env.Scheduler;
import io.ecfs.error.EcfsException;
import io.ecfs.layout.ChunkId;
import io.ecfs.message.Address;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.FeatureLevel;
import io.ecfs.message.VolumeState;
import io.ecfs.message.chunk.BadChunk;
import io.ecfs.message.chunk.ChunkChange;
import io.ecfs.message.datanode.DatanodeOrder;
import io.ecfs.message.datanode.DatanodeReply;
import io.ecfs.message.datanode.DatanodeReport;
import io.ecfs.message.datanode.DatanodeReport.VolumeOffer;
import io.ecfs.message.datanode.DatanodeReport.VolumeStatus;
import io.ecfs.message.datanode.RelayLoad;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.token.BlockTokenVerifier;
import io.ecfs.wire.Caller;
import io.ecfs.wire.Envelope;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports to every namenode, each through its own {@link NamenodeLink} so that a slow one delays no other, and executes
 * the leader's orders. Owner thread: its scheduler, which it closes; {@link #changed} may be called from any thread.
 */
public final class ControlPlane implements ChangeSink, AutoCloseable {
    /** First sequence, above those of releases that began with their wall clock. */
    private static final long FIRST_SEQUENCE = 1L << 62;

    private static final int REPORTS_OF_LIFE_BITS = 40;

    private static final Logger LOG = LoggerFactory.getLogger(ControlPlane.class);

    private final DatanodeId id;
    private final String rack;
    private final DatanodeHome home;
    private final Volumes volumes;
    private final BlockTokenVerifier tokens;
    private final KeyRing keys;
    private final Caller caller;
    private final Scheduler scheduler;
    private final ControlSettings settings;
    private final Clock clock;
    private final Orders orders;
    private final Repairer repairer;
    private final LoadMeter load;
    private final RingTurns rings;
    private final Supplier<Optional<RelayLoad>> relays;
    private final Map<Address, NamenodeLink> links = new LinkedHashMap<>();
    // Changes not yet passed to the links, in order; any thread adds. Drained at once, and then at most once in a
    // changeDelay.
    private final Queue<ChunkChange> fresh = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean reportScheduled = new AtomicBoolean();
    private volatile long reportedAt;
    private Optional<Address> address = Optional.empty();
    private volatile int levelInForce = FeatureLevel.NONE;
    // Of the last report; see DatanodeReport.Register.
    private long sequence;
    private boolean measuring;
    private long measuringSince;

    /**
     * @param idle share of the machine's processors that was idle since the last call; NaN: not known
     * @param relays load by relays at the moment; empty for a datanode without any. Not called before {@link #start}
     */
    public ControlPlane(
            DatanodeId id,
            String rack,
            List<Address> namenodes,
            DatanodeHome home,
            Volumes volumes,
            BlockTokenVerifier tokens,
            Caller caller,
            Repairer repairer,
            Rewriter rewriter,
            DoubleSupplier idle,
            Supplier<Optional<RelayLoad>> relays,
            Environment environment,
            ControlSettings settings) {
        this.id = id;
        this.rack = rack;
        this.home = home;
        this.volumes = volumes;
        this.tokens = tokens;
        this.keys = new KeyRing(environment.clock(), tokens);
        this.caller = caller;
        this.settings = settings;
        this.clock = environment.clock();
        this.load = new LoadMeter(volumes.bytes(), idle, clock.nanos());
        this.relays = relays;
        this.reportedAt = clock.nanos() - settings.changeDelay().toNanos();
        this.sequence = FIRST_SEQUENCE + (home.life() << REPORTS_OF_LIFE_BITS);
        this.scheduler = environment.threads().scheduler("control-" + id);
        this.rings = new RingTurns(ringMembers(), scheduler, clock);
        this.repairer = repairer;
        this.orders = new Orders(volumes, scheduler, settings, this, repairer, rewriter, this::complain);
        for (Address namenode : namenodes) {
            links.put(namenode, new NamenodeLink(namenode, this, caller, environment, scheduler, settings));
        }
    }

    private List<RingTurns.Member> ringMembers() {
        List<RingTurns.Member> members = new ArrayList<>();
        for (ServedVolume served : volumes.all()) {
            Volume volume = served.volume();
            served.staged()
                    .ifPresent(staged -> members.add(new RingTurns.Member(
                            () -> volumes.numberOf(served),
                            () -> volume.state() == VolumeState.FAILED,
                            staged,
                            new DrainRunner(
                                    staged.io(),
                                    served.queue(),
                                    Volume::chunkOf,
                                    (what, work) -> volume.onDisk(what, work::run),
                                    scheduler::execute,
                                    clock))));
        }
        return members;
    }

    /**
     * Begins to register with all namenodes.
     *
     * @param advertised address at which others reach this datanode
     */
    public void start(Address advertised) {
        scheduler.execute(() -> {
            address = Optional.of(advertised);
            measure();
            rings.start();
            links.values().forEach(NamenodeLink::start);
        });
    }

    @Override
    public void changed(ChunkChange change) {
        fresh.add(change);
        if (reportScheduled.compareAndSet(false, true)) {
            scheduler.schedule(settings.changeDelay().minusNanos(clock.nanos() - reportedAt), this::report);
        }
    }

    private void report() {
        reportedAt = clock.nanos();
        reportScheduled.set(false); // later changes are drained below, or schedule another report
        for (ChunkChange change = fresh.poll(); change != null; change = fresh.poll()) {
            for (NamenodeLink link : links.values()) {
                link.changed(change);
            }
        }
        links.values().forEach(NamenodeLink::sendChanges);
    }

    /** Number of namenodes where this datanode is registered; completes on the owner thread. */
    CompletableFuture<Integer> registeredLinks() {
        CompletableFuture<Integer> count = new CompletableFuture<>();
        scheduler.execute(() -> count.complete(
                (int) links.values().stream().filter(NamenodeLink::registered).count()));
        return count;
    }

    /** The cluster's feature level, as namenodes reported it since this process began. Safe for use by any thread. */
    int levelInForce() {
        return levelInForce;
    }

    @Override
    public void close() {
        scheduler.close();
    }

    DatanodeReport.Register registration(int layoutVersion) {
        List<VolumeOffer> offers = new ArrayList<>();
        for (ServedVolume served : volumes.all()) {
            Volume volume = served.volume();
            offers.add(new VolumeOffer(
                    volume.uuid(),
                    volume.space().capacityBytes(),
                    Optional.of(volume.path()),
                    served.staged().map(staged -> staged.io().counts().journalBound())));
        }
        return new DatanodeReport.Register(
                id,
                uuid(),
                ++sequence,
                home.identity().clusterId(),
                layoutVersion,
                address.orElseThrow(),
                rack,
                offers);
    }

    DatanodeReport.Heartbeat heartbeat() {
        measure();
        List<VolumeStatus> loads = new ArrayList<>();
        volumes.numbered().forEach((id, served) -> {
            Volume volume = served.volume();
            loads.add(new VolumeStatus(
                    id,
                    volume.state(),
                    volume.space().capacityBytes(),
                    volume.chunkBytes(),
                    volume.space().freeBytes(),
                    volume.chunkCount(),
                    served.queue().queued(),
                    volume.unsyncedChunks()));
        });
        return new DatanodeReport.Heartbeat(
                id, uuid(), loads, load.sample(clock.nanos()), relays.get(), Optional.of(rings.statuses()));
    }

    DatanodeReport.AwaitOrders awaitOrders(Duration hold) {
        return new DatanodeReport.AwaitOrders(id, uuid(), hold.toMillis());
    }

    DatanodeReport.ChangeReport changeReport(List<ChunkChange> changes) {
        return new DatanodeReport.ChangeReport(id, uuid(), ++sequence, changes);
    }

    /** A page of a volume's chunks as they are now. */
    DatanodeReport.FullReport page(NamenodeLink.ReportAt at) {
        ServedVolume served = volumes.numbered().get(at.volume());
        var chunks = served.volume().records(at.after(), settings.reportPageChunks());
        boolean last = chunks.size() < settings.reportPageChunks();
        return new DatanodeReport.FullReport(
                id, uuid(), ++sequence, at.volume(), at.reportId(), at.page(), last, chunks);
    }

    Volumes volumes() {
        return volumes;
    }

    /** Joins the cluster of a namenode; files are written on a volume's thread. */
    CompletableFuture<Void> join(DatanodeReply.Registered registered) {
        CompletableFuture<Void> bound = home.identity().clusterId().equals(registered.clusterId())
                ? CompletableFuture.completedFuture(null)
                : bind(registered.clusterId());
        CompletableFuture<Void> joined = new CompletableFuture<>();
        bound.whenComplete((nothing, failure) -> scheduler.execute(() -> {
            try {
                if (failure != null) {
                    throw EcfsException.of(failure);
                }
                volumes.number(registered.volumes());
                keys.add(registered.keys());
                int level = registered.levelInForce().orElse(FeatureLevel.FIRST);
                tokens.levelInForce(levelInForce, level);
                levelInForce = Math.max(levelInForce, level);
                joined.complete(null);
            } catch (EcfsException e) {
                joined.completeExceptionally(e);
            }
        }));
        return joined;
    }

    void onOrders(DatanodeReply.HeartbeatReply reply, NamenodeLink from) {
        keys.add(reply.keys());
        rings.follow(reply);
        if (reply.term() > 0) {
            repairer.throttle(reply.repairBytesPerSecond());
        }
        List<DatanodeOrder> work = new ArrayList<>();
        for (DatanodeOrder order : reply.orders()) {
            if (order instanceof DatanodeOrder.ReportFully report) {
                from.reportFully(report.volume());
            } else {
                work.add(order);
            }
        }
        if (work.isEmpty()) {
            orders.termSeen(reply.term());
        } else {
            orders.take(reply.term(), work);
        }
    }

    private CompletableFuture<Void> bind(String clusterId) {
        List<CompletableFuture<Void>> all = new ArrayList<>();
        for (ServedVolume served : volumes.all()) {
            if (served.volume().state() == VolumeState.FAILED) {
                continue;
            }
            all.add(served.queue().submit(() -> {
                home.bindCluster(clusterId);
                served.volume().bindCluster(clusterId);
                return null;
            }));
        }
        LOG.info("event=joining_cluster datanode={} cluster={}", id, clusterId);
        return CompletableFuture.allOf(all.toArray(CompletableFuture[]::new));
    }

    /** Reports another datanode's unusable chunk to all namenodes, of which only the leader acts on it. */
    private void complain(BadChunk bad) {
        for (Address namenode : links.keySet()) {
            caller.call(namenode, new NamespaceRequest.ReportBadChunks(List.of(bad)), settings.callTimeout())
                    .thenAccept(Envelope::release);
        }
    }

    /**
     * Measures the free space of all volumes for the next heartbeat; the wait and service times of readers' batches
     * show their load. A measurement that does not end counts as a wait itself.
     */
    private void measure() {
        volumes.all().forEach(served -> served.queue().refuseOverdue());
        if (measuring) {
            load.took(TaskBatchTimes.waited(clock.nanos() - measuringSince));
            return;
        }
        measuring = true;
        measuringSince = clock.nanos();
        List<CompletableFuture<Void>> all = new ArrayList<>();
        for (ServedVolume served : volumes.all()) {
            if (served.volume().state() != VolumeState.FAILED) {
                all.add(served.queue()
                        .submit(() -> {
                            served.volume().measure();
                            return served.queue().takeTimes();
                        })
                        .thenAcceptAsync(load::took, scheduler::execute));
            }
        }
        CompletableFuture.allOf(all.toArray(CompletableFuture[]::new))
                .whenComplete((done, failure) -> scheduler.execute(() -> measuring = false));
    }

    private String uuid() {
        return home.identity().datanodeUuid();
    }

    /** The chunk behind which the next page of a report begins. */
    static Optional<ChunkId> lastOf(DatanodeReport.FullReport page) {
        return page.chunks().isEmpty()
                ? Optional.empty()
                : Optional.of(page.chunks().get(page.chunks().size() - 1).chunk());
    }
}
