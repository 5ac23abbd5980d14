package io.ecfs.sim.cluster;

import io.ecfs.message.Address;
import io.ecfs.namenode.command.CallerIdentity;
import io.ecfs.namenode.context.Members;
import io.ecfs.namenode.group.Stamps;
import io.ecfs.namenode.health.UnderReplicationAudit;
import io.ecfs.namenode.log.MemoryQuorum;
import io.ecfs.namenode.log.MetadataLog;
import io.ecfs.namenode.rpc.Namenode;
import io.ecfs.namenode.settings.NamenodeSettings;
import io.ecfs.namenode.state.MetadataState;
import io.ecfs.namenode.store.KeyValueStore.Transaction;
import io.ecfs.namenode.store.MemoryStore;
import io.ecfs.sim.time.SimProcess;
import io.ecfs.sim.time.SteppedClock;
import io.ecfs.wire.Envelope;
import io.ecfs.wire.Handler;
import io.ecfs.wire.PeerIdentity;
import io.ecfs.wire.Session;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** A machine of a real namenode: its store outlives crashes, unless the disk goes with it. */
public final class NamenodeHost implements SteppedClock {
    private final World world;
    private final String id;
    private final Members members;
    private final NamenodeSettings settings;
    private final MemoryQuorum quorum;
    private final SplittableRandom random;
    private final MemoryStore.Shelf backups;
    private Supplier<MemoryStore> emptyDisk;
    private MemoryStore store;
    private SimProcess process;
    private MetadataState state;
    private Namenode namenode;
    private DamageableLog log;
    private boolean cut;

    NamenodeHost(
            World world,
            Members members,
            NamenodeSettings settings,
            MemoryQuorum quorum,
            MemoryStore.Shelf backups,
            SplittableRandom random) {
        this.world = world;
        this.id = members.id();
        this.members = members;
        this.settings = settings;
        this.quorum = quorum;
        this.backups = backups;
        this.emptyDisk = () -> new MemoryStore(backups);
        this.store = emptyDisk.get();
        this.random = random;
    }

    public String id() {
        return id;
    }

    Address address() {
        return members.addresses().get(id);
    }

    @Override
    public Runnable stepClock(long millis) {
        SimProcess life = process;
        life.stepClock(millis);
        return () -> life.stepClock(-millis);
    }

    @Override
    public boolean up() {
        return process != null && process.alive();
    }

    /** Separated from the other namenodes; datanodes and clients may still reach it. */
    public boolean cut() {
        return cut;
    }

    /** The facts as this namenode has applied them. */
    public MetadataState state() {
        return state;
    }

    public CompletableFuture<UnderReplicationAudit> auditLedger() {
        return namenode.auditLedger();
    }

    public void start() {
        process = new SimProcess(id, world.time(), random.split());
        state = new MetadataState(store);
        log = new DamageableLog(state);
        MetadataLog joined = quorum.join(id, address(), log);
        namenode = new Namenode(process.environment(), members, joined, state, settings, this::refused);
        world.network().serve(address(), process, handler(namenode));
    }

    private CompletableFuture<Boolean> refused(Address datanode) {
        return world.network().refused(id, datanode);
    }

    private static Handler handler(Namenode namenode) {
        return new Handler() {
            @Override
            public CompletionStage<Envelope> handle(Session session, Envelope request) {
                return NamenodeHost.handle(namenode, session, request);
            }

            @Override
            public void closed(Session session) {
                if (session.identity() instanceof PeerIdentity.Datanode datanode) {
                    namenode.connectionClosed(datanode.id());
                }
            }
        };
    }

    private static CompletionStage<Envelope> handle(Namenode namenode, Session session, Envelope request) {
        request.release();
        return namenode.handle(new CallerIdentity(session.user(), List.of()), true, request.head())
                .thenApply(Envelope::of);
    }

    /** @param withDisk the store is lost too: the next start is on an empty one */
    public void crash(boolean withDisk) {
        process.kill();
        quorum.crash(id);
        cut = false;
        if (withDisk) {
            store = emptyDisk.get();
        }
        world.network().processGone(address().host());
    }

    /** Cannot read the next entry of its log. */
    public void damageLog() {
        log.damageNext();
    }

    /** It was to meet an entry that it cannot read, and may have met it. */
    public boolean damaged() {
        return up() && log.damaged();
    }

    /** It has met one, and does nothing any more. */
    public boolean stopped() {
        return up() && log.stopped();
    }

    /**
     * Copies its disk.
     *
     * @return the last entry of the copy
     */
    long backUp(Path name) {
        store.checkpoint(name);
        return state.applied().index();
    }

    /**
     * Down, it gets a disk with the copy, and whenever it loses its disk from now on: the others have no log of what
     * was before.
     *
     * @param newEpoch as {@code ecfs namenode restore} does it
     */
    void restore(Path name, boolean newEpoch) {
        emptyDisk = () -> {
            MemoryStore restored = new MemoryStore(backups);
            restored.install(name);
            if (newEpoch) {
                try (Transaction transaction = restored.begin()) {
                    Stamps.beginEpoch(transaction);
                    transaction.commit();
                }
            }
            return restored;
        };
        store = emptyDisk.get();
    }

    /** Stops the process as SIGSTOP does: the others go on without it. */
    public void freeze() {
        cutOff();
        process.freeze();
    }

    public void thaw() {
        process.thaw();
        heal();
    }

    public void cutOff() {
        cut = true;
        quorum.cut(id);
    }

    void heal() {
        if (cut && up()) {
            quorum.heal(id);
        }
        cut = false;
    }
}
