package io.ecfs.sim.trouble;

import io.ecfs.client.ClusterAdmin;
import io.ecfs.client.EcfsClient;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.FilePath;
import io.ecfs.message.VolumeId;
import io.ecfs.message.namespace.NamespaceRequest.DropRing.Remaining;
import io.ecfs.message.namespace.NamespaceRequest.SetRing;
import io.ecfs.sim.cluster.Cluster;
import io.ecfs.sim.cluster.DatanodeHost;
import io.ecfs.sim.cluster.SimClient;
import io.ecfs.sim.cluster.World;
import io.ecfs.sim.ring.RingWorld;
import io.ecfs.sim.time.SimulationFailure;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/**
 * Makes the ring of a world before its clients begin, names it in their directories, and changes it as chance wants.
 * Its calls get lost like everybody's, and some are refused.
 */
public final class RingChanges {
    private static final long STEP = Duration.ofMillis(500).toNanos();
    private static final long LONGEST_PAUSE = Duration.ofSeconds(4).toNanos();
    /** Then clients begin without a ring. */
    private static final long PATIENCE = Duration.ofSeconds(8).toNanos();

    private static final List<Remaining> REMAINING = List.of(Remaining.values());

    private final World world;
    private final Cluster cluster;
    private final RingWorld wanted;
    private final ClusterAdmin admin;
    private final SplittableRandom random;
    private final Set<FilePath> named = new TreeSet<>();
    private Optional<VolumeId> removed = Optional.empty();
    private boolean made;
    private boolean dropping;
    private boolean begun;
    private boolean ending;
    private boolean ended;

    public RingChanges(World world, Cluster cluster, RingWorld wanted, EcfsClient client, SplittableRandom random) {
        this.world = world;
        this.cluster = cluster;
        this.wanted = wanted;
        this.admin = client.admin();
        this.random = random;
    }

    public void start() {
        world.time().after(STEP, this::make);
        world.time().after(PATIENCE, this::begin);
    }

    private void begin() {
        if (!begun) {
            begun = true;
            cluster.startClients();
            world.time().after(STEP, this::nameInDirectories);
        }
    }

    private void make() {
        List<VolumeId> volumes = cluster.datanodes().stream()
                .flatMap(datanode -> datanode.ringVolume().stream())
                .toList();
        if (begun) {
            return;
        } else if (volumes.size() < cluster.datanodes().size()) {
            world.time().after(STEP, this::make);
            return;
        }
        int active = volumes.size() - 1;
        ask(
                        "create a ring",
                        admin.createRing(
                                RingWorld.NAME,
                                wanted.colours(),
                                Optional.of(wanted.writers()),
                                wanted.period(),
                                volumes.subList(0, active),
                                volumes.subList(active, volumes.size())))
                .thenAccept(done -> {
                    made = true;
                    if (wanted.everywhere()) {
                        name(FilePath.ROOT).thenRun(this::begin);
                    } else {
                        begin();
                    }
                    if (wanted.commands()) {
                        world.time().after(1 + random.nextLong(LONGEST_PAUSE), this::change);
                    }
                });
    }

    private void nameInDirectories() {
        if (!ending && made && !dropping && !wanted.everywhere()) {
            for (SimClient client : cluster.living().values()) {
                FilePath directory = client.directory();
                if (Math.floorMod(directory.hashCode(), 3) > 0 && !named.contains(directory)) {
                    name(directory).thenRun(() -> named.add(directory));
                }
            }
        }
        if (!ending) {
            world.time().after(2 * STEP, this::nameInDirectories);
        }
    }

    private CompletableFuture<Void> name(FilePath directory) {
        return ask("name the ring", admin.setRing(directory, Optional.of(RingWorld.NAME)));
    }

    private void change() {
        if (ending) {
            return;
        }
        CompletableFuture<Void> asked = switch (random.nextInt(8)) {
            case 0 -> set(Optional.of(1 + random.nextInt(2)), Optional.empty(), Optional.empty());
            case 1 -> set(Optional.of(SetRing.AUTO), Optional.empty(), Optional.empty());
            case 2 ->
                set(Optional.empty(), Optional.of(Duration.ofMillis(1000 + random.nextInt(1000))), Optional.empty());
            case 3 -> set(Optional.empty(), Optional.empty(), Optional.of(true));
            case 4 -> set(Optional.empty(), Optional.empty(), Optional.of(false));
            case 5 -> dropping || random.nextInt(5) == 0 ? drop() : CompletableFuture.completedFuture(null);
            default -> removed.isEmpty() ? remove() : add();
        };
        asked.whenComplete((done, failure) -> world.time().after(1 + random.nextLong(LONGEST_PAUSE), this::change));
    }

    private CompletableFuture<Void> set(
            Optional<Integer> writers, Optional<Duration> period, Optional<Boolean> paused) {
        return ask("set a ring", admin.setRing(RingWorld.NAME, writers, period, paused));
    }

    private CompletableFuture<Void> remove() {
        DatanodeHost one =
                cluster.datanodes().get(random.nextInt(cluster.datanodes().size()));
        removed = one.ringVolume();
        return removed.isEmpty()
                ? CompletableFuture.completedFuture(null)
                : ask(
                        "remove a volume",
                        admin.assignVolumes(RingWorld.NAME, List.of(), List.of(), List.of(removed.get())));
    }

    /** Refused until it is empty. */
    private CompletableFuture<Void> add() {
        List<VolumeId> one = List.of(removed.orElseThrow());
        boolean spare = random.nextBoolean();
        return ask(
                        "add a volume",
                        admin.assignVolumes(
                                RingWorld.NAME, spare ? List.of() : one, spare ? one : List.of(), List.of()))
                .thenRun(() -> removed = Optional.empty());
    }

    /** Its groups are moved, or stay where they are. There is no ring any more then: its volumes have chunks. */
    private CompletableFuture<Void> drop() {
        dropping = true;
        CompletableFuture<?>[] unnamed = Stream.concat(Stream.of(FilePath.ROOT), named.stream())
                .map(directory -> ask("name no ring", admin.setRing(directory, Optional.empty()))
                        .exceptionally(failure -> null)) // it may be gone; otherwise the ring is not dropped yet
                .toArray(CompletableFuture[]::new);
        return CompletableFuture.allOf(unnamed)
                .thenCompose(done -> ask(
                        "drop a ring",
                        admin.dropRing(RingWorld.NAME, REMAINING.get(random.nextInt(REMAINING.size())))));
    }

    /** The ring takes its turns from now on. */
    public void end() {
        begin();
        ending = true;
        if (made) {
            resume();
        } else {
            ended = true;
        }
    }

    private void resume() {
        set(Optional.empty(), Optional.empty(), Optional.of(false)).whenComplete((done, failure) -> {
            if (failure == null || EcfsException.of(failure).code() == ErrorCode.NOT_FOUND) {
                ended = true;
            } else {
                world.time().after(STEP, this::resume);
            }
        });
    }

    public boolean ended() {
        return ended;
    }

    private CompletableFuture<Void> ask(String what, CompletableFuture<Void> call) {
        return call.whenComplete((done, failure) -> {
            if (failure != null) {
                tolerate(what, EcfsException.of(failure));
            }
        });
    }

    /** A lost answer, or what a ring refuses: too many writers, a volume with chunks, a colour without a volume. */
    private void tolerate(String what, EcfsException e) {
        boolean refused = e.code() == ErrorCode.INVALID_ARGUMENT
                || e.code() == ErrorCode.NOT_FOUND
                || e.code() == ErrorCode.ALREADY_EXISTS;
        if (!e.code().retryable() && !refused) {
            world.time().raise(new SimulationFailure("the operator cannot " + what + ": " + e.getMessage(), e));
        }
    }
}
