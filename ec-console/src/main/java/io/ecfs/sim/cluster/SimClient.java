package io.ecfs.sim.cluster;

import io.ecfs.client.ClusterUri;
import io.ecfs.client.EcfsClient;
import io.ecfs.client.base.ClientConfig;
import io.ecfs.code.kernel.Kernels;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.EncodingSide;
import io.ecfs.message.Address;
import io.ecfs.message.FilePath;
import io.ecfs.sim.time.SimProcess;
import io.ecfs.sim.time.SimulationFailure;
import io.ecfs.wire.Session;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * One life of a real client at work: one deed after the other in a directory of its own, each entered in the {@link
 * Ledger} before it is begun and when it is answered. It may vanish at any moment, in the middle of anything.
 */
public final class SimClient {
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(1500);

    /** A client that vanishes in a write does so in the first so many milliseconds of it. */
    private static final Duration LAST_MOMENT = Duration.ofMillis(40);

    private static final ClientConfig CONFIG = ClientConfig.defaults()
            .with(
                    "callTimeout=2s",
                    "namenodeDeadline=90s",
                    "retryPauseLimit=1s",
                    "leaseRenewal=2s",
                    "writeBudgetBytes=64MiB",
                    "writeWindowStripes=64",
                    "stallAfter=1s",
                    "readBudgetBytes=64MiB",
                    "readAheadBudgetBytes=64MiB",
                    "spanBytes=16KiB",
                    "lateAfter=500ms",
                    "local.on=off",
                    "suspicion=5s",
                    "budgetWait=30s",
                    "networkThreads=1");

    /** When a client vanishes. */
    public enum Exit {
        NOW,
        /** A moment after it has begun to write again, when cells are under way. */
        IN_A_WRITE,
        /** When the next bytes of an open file were acknowledged. */
        AFTER_A_FLUSH
    }

    private final String host;
    private final SimProcess process;
    private final SimWorkload.Desk desk;
    private final SimWorkload deeds;
    private final List<String> done = new ArrayList<>();
    private Optional<Runnable> whenVanished = Optional.empty();
    private Exit exit = Exit.NOW;
    private boolean stopping;
    private boolean idle;

    /** @param rivalled another client takes over what it writes */
    public SimClient(
            World world,
            String host,
            int life,
            List<Address> namenodes,
            Ledger ledger,
            boolean rivalled,
            SplittableRandom random) {
        this.host = host;
        this.process = new SimProcess(host + "-" + life, world.time(), random.split());
        Session session = new Session(new Address(host, 0), "user", List.of("users"), "client", "", false);
        Supplier<EcfsClient> client = () -> new EcfsClient(
                new ClusterUri(namenodes),
                // Every other life asks for spares, two of three have datanodes encode, half of them pack.
                CONFIG.with(
                        "hedge.delta=" + life % 2, "encode=" + side(host, life).text(), "pack.on=" + packs(host, life)),
                process.environment(),
                world.network().caller(process, session),
                Kernels.java());
        this.desk = new SimWorkload.Desk(
                client.get(),
                rivalled ? Optional.of(client.get()) : Optional.empty(),
                ledger,
                FilePath.ROOT.child(process.name()),
                random,
                world,
                process,
                this::vanishAfterFlush);
        this.deeds = new SimWorkload(desk);
    }

    private static EncodingSide side(String host, int life) {
        EncodingSide[] sides = EncodingSide.values();
        return sides[Math.floorMod(host.hashCode() + life, sides.length)];
    }

    /** Of any two lives with the same side, one. */
    private static boolean packs(String host, int life) {
        int sides = EncodingSide.values().length;
        return Math.floorMod(host.hashCode() / sides + life / sides, 2) == 0;
    }

    String host() {
        return host;
    }

    public FilePath directory() {
        return desk.directory();
    }

    public SimWorkload deeds() {
        return deeds;
    }

    /** Makes its directory and begins to work. */
    void start() {
        run("mkdirs", desk.client().mkdirs(desk.directory(), 0755, true));
    }

    /** Begins nothing new. */
    public void stop() {
        stopping = true;
    }

    public boolean idle() {
        return idle || !process.alive();
    }

    public boolean alive() {
        return process.alive();
    }

    /** @param gone runs when it is gone */
    void vanish(Exit when, Runnable gone) {
        whenVanished = Optional.of(gone);
        exit = when;
        if (when == Exit.NOW) {
            vanishNow();
        }
    }

    private void vanishAfterFlush() {
        if (alive() && whenVanished.isPresent() && exit == Exit.AFTER_A_FLUSH) {
            vanishNow();
        }
    }

    private void vanishNow() {
        process.kill();
        whenVanished.orElseThrow().run();
    }

    /** Number of its calls so far. */
    public int done() {
        return done.size();
    }

    public EcfsClient client() {
        return desk.client();
    }

    private void next() {
        if (stopping) {
            idle = true;
            return;
        }
        SimWorkload.Deed deed = whenVanished.isPresent() ? deeds.last() : deeds.choose();
        if (whenVanished.isPresent() && exit == Exit.IN_A_WRITE) {
            process.after(desk.random().nextLong(LAST_MOMENT.toNanos()), this::vanishNow);
        }
        run(deed.name(), deed.begin().get());
    }

    private void run(String name, CompletableFuture<?> deed) {
        deed.whenComplete((result, failure) -> process.after(0, () -> {
            if (failure != null) {
                tolerate(name, failure);
            }
            done.add(name);
            process.after(desk.random().nextLong(LONGEST_PAUSE.toNanos()), this::next);
        }));
    }

    /** In a troubled world a deed may fail, and its outcome is open then; but not for a reason that cannot be. */
    private void tolerate(String name, Throwable failure) {
        EcfsException e = EcfsException.of(failure);
        if (e.code() == ErrorCode.INTERNAL || e.code() == ErrorCode.MALFORMED || e.code() == ErrorCode.ACCESS_DENIED) {
            throw new SimulationFailure(process + " cannot " + name + ": " + e.getMessage(), failure);
        }
    }
}
