package io.ecfs.console.sim;

import io.ecfs.message.Address;
import io.ecfs.namenode.command.Caller;
import io.ecfs.namenode.log.MemoryQuorum;
import io.ecfs.namenode.log.MetadataLog;
import io.ecfs.namenode.server.LedgerAudit;
import io.ecfs.namenode.server.Namenode;
import io.ecfs.namenode.server.NamenodeSettings;
import io.ecfs.namenode.state.MetadataState;
import io.ecfs.namenode.store.MemoryStore;
import io.ecfs.wire.Parcel;
import io.ecfs.wire.Session;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A machine of a real namenode: its store outlives crashes, unless the disk goes with it. */
final class NamenodeHost implements SteppedClock {
    private final World world;
    private final String id;
    private final Namenode.Members members;
    private final NamenodeSettings settings;
    private final MemoryQuorum quorum;
    private final SplittableRandom random;
    private MemoryStore store = new MemoryStore();
    private SimProcess process;
    private MetadataState state;
    private Namenode namenode;
    private boolean cut;

    NamenodeHost(
            World world,
            Namenode.Members members,
            NamenodeSettings settings,
            MemoryQuorum quorum,
            SplittableRandom random) {
        this.world = world;
        this.id = members.id();
        this.members = members;
        this.settings = settings;
        this.quorum = quorum;
        this.random = random;
    }

    String id() {
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
    boolean cut() {
        return cut;
    }

    /** The facts as this namenode has applied them. */
    MetadataState state() {
        return state;
    }

    CompletableFuture<LedgerAudit> auditLedger() {
        return namenode.auditLedger();
    }

    void start() {
        process = new SimProcess(id, world.time(), random.split());
        state = new MetadataState(store);
        MetadataLog log = quorum.join(id, address(), state);
        namenode = new Namenode(process.environment(), members, log, state, settings);
        Namenode serving = namenode;
        world.network().serve(address(), process, (session, parcel) -> handle(serving, session, parcel));
    }

    private static CompletionStage<Parcel> handle(Namenode namenode, Session session, Parcel request) {
        request.release();
        return namenode.handle(new Caller(session.user(), session.groups()), request.head())
                .thenApply(Parcel::of);
    }

    /** @param withDisk the store is lost too: the next start is on an empty one */
    void crash(boolean withDisk) {
        process.kill();
        quorum.crash(id);
        cut = false;
        if (withDisk) {
            store = new MemoryStore();
        }
        world.network().processGone(address().host());
    }

    void cutOff() {
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
