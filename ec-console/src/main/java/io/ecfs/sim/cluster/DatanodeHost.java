package io.ecfs.sim.cluster;

import io.ecfs.buffer.BufferPool;
import io.ecfs.code.construction.Codes;
import io.ecfs.code.kernel.Kernels;
import io.ecfs.datanode.relay.CellSink;
import io.ecfs.datanode.relay.RelayService;
import io.ecfs.datanode.repair.Repairer;
import io.ecfs.datanode.rewrite.Rewriter;
import io.ecfs.datanode.scrub.ScrubSettings;
import io.ecfs.datanode.scrub.Scrubber;
import io.ecfs.datanode.server.BackgroundSync;
import io.ecfs.datanode.server.ChunkService;
import io.ecfs.datanode.server.ControlPlane;
import io.ecfs.datanode.server.DatanodeConfig;
import io.ecfs.datanode.server.ServedVolume;
import io.ecfs.datanode.server.Volumes;
import io.ecfs.datanode.store.DatanodeHome;
import io.ecfs.datanode.store.Volume;
import io.ecfs.datanode.store.VolumeTerms;
import io.ecfs.datanode.store.io.VolumeIo;
import io.ecfs.datanode.store.memory.MemoryVolumeIo;
import io.ecfs.datanode.store.queue.VolumeQueue;
import io.ecfs.datanode.store.ring.StagedVolume;
import io.ecfs.env.Environment;
import io.ecfs.layout.ChunkId;
import io.ecfs.message.Address;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.FeatureLevel;
import io.ecfs.message.VolumeId;
import io.ecfs.message.VolumeState;
import io.ecfs.message.chunk.ChunkChange;
import io.ecfs.message.chunk.ChunkRecord;
import io.ecfs.sim.ring.StagedDisk;
import io.ecfs.sim.time.SimProcess;
import io.ecfs.sim.time.SimWorkers;
import io.ecfs.sim.time.SimulationFailure;
import io.ecfs.sim.time.SteppedClock;
import io.ecfs.token.BlockTokenVerifier;
import io.ecfs.transfer.ChunkClient;
import io.ecfs.wire.Caller;
import io.ecfs.wire.PeerIdentity;
import io.ecfs.wire.Session;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A machine of a real datanode: control plane, chunk service and volumes, on disks in memory that outlive crashes. */
public final class DatanodeHost implements SteppedClock {
    public static final long DISK_BYTES = 64 << 20;
    private final World world;
    private final DatanodeId id;
    private final Address address;
    private final HostSettings settings;
    private final List<Address> namenodes;
    private final SplittableRandom random;
    private final MemoryVolumeIo homeDisk;
    private final List<MemoryVolumeIo> disks = new ArrayList<>();
    private final List<SimDisk> doors = new ArrayList<>();
    private final Optional<StagedDisk> staged; // the first one, in a world with a ring
    private SimProcess process;
    private Volumes volumes;
    private boolean isolated;
    private boolean doomed;

    DatanodeHost(World world, int number, HostSettings settings, List<Address> namenodes, SplittableRandom random) {
        this.world = world;
        this.id = new DatanodeId("dn" + number);
        this.address = new Address(id.name(), 9000);
        this.settings = settings;
        this.namenodes = namenodes;
        this.random = random;
        this.homeDisk = new MemoryVolumeIo(id + "-home", settings.diskBytes(), random.split());
        for (int volume = 0; volume < settings.volumes(); volume++) {
            disks.add(new MemoryVolumeIo(id + "-disk" + volume, settings.diskBytes(), random.split()));
            doors.add(new SimDisk(disks.get(volume)));
        }
        this.staged = world.settings()
                .ring()
                .map(ring -> new StagedDisk(
                        disks.get(0), doors.get(0), ring, random.split(), world.time(), this::portIsWrong));
    }

    private void portIsWrong(String what) {
        world.time().raise(new SimulationFailure(what));
    }

    public DatanodeId id() {
        return id;
    }

    public String host() {
        return address.host();
    }

    public String rack() {
        return settings.rack();
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

    /** Down, or cut off from everybody. */
    public boolean away() {
        return isolated || !up();
    }

    public void start() {
        process = new SimProcess(id.name(), world.time(), random.split());
        Environment environment = process.environment();
        try {
            DatanodeHome home = DatanodeHome.open(homeDisk, id, environment.randomness()::uuid);
            List<ServedVolume> served = new ArrayList<>();
            for (SimDisk disk : doors) {
                if (disk.opens()) {
                    served.add(open(disk, home, environment));
                }
            }
            volumes = new Volumes(served);
            BackgroundSync sync =
                    new BackgroundSync(environment.threads(), settings.store().syncInterval());
            volumes.all().forEach(sync::start);
            serve(home, environment);
        } catch (IOException e) {
            throw new SimulationFailure("datanode " + id + " cannot start", e);
        }
    }

    private ServedVolume open(SimDisk disk, DatanodeHome home, Environment environment) throws IOException {
        DatanodeConfig.StoreSettings store = settings.store();
        VolumeTerms terms = new VolumeTerms(store.reserveBytes(), store.readErrors(), environment.clock(), true);
        boolean inRing = staged.isPresent() && disk.equals(doors.get(0));
        VolumeIo port = inRing ? staged.get().open(environment) : disk;
        Volume volume = Volume.open(port, home.identity(), terms, environment.randomness()::uuid);
        SimWorkers workers = process.workers(disk.describe(), store.threads(), 2 * store.queueBound());
        disk.servedBy(workers);
        return new ServedVolume(
                volume,
                new VolumeQueue(workers, store.threads(), store.queueBound(), environment.clock()),
                inRing
                        ? Optional.of(new StagedVolume(
                                staged.get().staged(), environment.threads().scheduler("delays"), environment.clock()))
                        : Optional.empty());
    }

    private void serve(DatanodeHome home, Environment environment) {
        String role = "datanode " + id;
        Caller caller = world.network()
                .caller(
                        process,
                        new Session(
                                address,
                                role,
                                List.of(),
                                role,
                                home.identity().clusterId(),
                                false,
                                FeatureLevel.RELEASE,
                                new PeerIdentity.Datanode(id)));
        BlockTokenVerifier tokens = new BlockTokenVerifier(
                environment.clock(), () -> home.identity().clusterId());
        Codes codes = new Codes(Kernels.java());
        Repairer repairer = new Repairer(
                id.name(),
                caller,
                codes,
                environment.clock(),
                environment.threads(),
                settings.repair(),
                () -> 0,
                () -> Double.NaN);
        Rewriter rewriter = new Rewriter(
                id.name(),
                new ChunkClient(caller, settings.repair().readTimeout()),
                codes,
                environment,
                repairer::calmly);
        ControlPlane plane = new ControlPlane(
                id,
                settings.rack(),
                namenodes,
                home,
                volumes,
                tokens,
                caller,
                repairer,
                rewriter,
                () -> Double.NaN,
                Optional::empty,
                environment,
                settings.control());
        BufferPool reads = new BufferPool("reads of " + id, settings.store().readBufferBytes());
        CellSink others =
                CellSink.through(new ChunkClient(caller, settings.repair().readTimeout()));
        RelayService relays = new RelayService(id.name(), others, codes, environment, settings.relay());
        world.network()
                .serve(
                        address,
                        process,
                        new ChunkService(
                                volumes,
                                tokens,
                                reads,
                                settings.store().maxReadBytes(),
                                false,
                                plane,
                                environment.clock(),
                                Optional.of(relays)));
        settings.scrub().ifPresent(scrub -> scrub(scrub, plane, environment));
        plane.start(address);
    }

    private void scrub(ScrubSettings scrub, ControlPlane plane, Environment environment) {
        Scrubber scrubber = new Scrubber(id.name(), environment, scrub);
        Volumes served = volumes;
        for (ServedVolume one : served.all()) {
            scrubber.start(
                    one.volume(),
                    one.queue(),
                    record -> served.numbered().forEach((number, volume) -> {
                        if (volume.equals(one)) {
                            plane.changed(new ChunkChange.Present(number, record));
                        }
                    }));
        }
    }

    /** The process will die in the middle of one of its next writes to a disk. */
    public void crashInTheMiddle(int withinMutations) {
        doomed = true;
        List<MemoryVolumeIo> all = withJournal();
        MemoryVolumeIo disk = all.get(random.nextInt(all.size()));
        disk.crashAtMutation(disk.mutations() + random.nextInt(withinMutations));
    }

    /** The process will die at this change of each of its disks from now on, at the first that comes to it. */
    public void crashAtChange(int change) {
        doomed = true;
        withJournal().forEach(disk -> disk.crashAtMutation(disk.mutations() + change));
    }

    /** The process will die at this change of the disk that is in the ring. */
    public void crashInRing(int change) {
        doomed = true;
        disks.get(0).crashAtMutation(disks.get(0).mutations() + change);
    }

    /** Its disks, and that of its journal if it has one. */
    private List<MemoryVolumeIo> withJournal() {
        return Stream.concat(disks.stream(), staged.stream().map(StagedDisk::journal))
                .toList();
    }

    /** The disk that takes turns; empty in a world without a ring. */
    public Optional<StagedDisk> staged() {
        return staged;
    }

    /** Number of the volume that takes turns, once the cluster has given it one. */
    public Optional<VolumeId> ringVolume() {
        return volumes == null
                ? Optional.empty()
                : volumes.numbered().entrySet().stream()
                        .filter(volume -> volume.getValue().staged().isPresent())
                        .map(Map.Entry::getKey)
                        .findFirst();
    }

    /** Flips a bit of a chunk's bytes or log; false when there is none. */
    public boolean flipBit(SplittableRandom random) {
        MemoryVolumeIo disk = disks.get(random.nextInt(disks.size()));
        List<String> files = disk.files().stream()
                .filter(file -> file.endsWith(".data") || file.endsWith(".tail"))
                .toList();
        List<String> open =
                files.stream().filter(file -> file.startsWith("writing/")).toList();
        List<String> among = open.isEmpty() || random.nextInt(4) == 0 ? files : open;
        if (among.isEmpty()) {
            return false;
        }
        String file = among.get(random.nextInt(among.size()));
        try {
            long length = disk.length(file).orElse(0);
            if (length > 0) {
                staged.filter(ring -> ring.memory().equals(disk)).ifPresent(StagedDisk::disturb);
                disk.flipBit(file, random.nextLong(length), random.nextInt(Byte.SIZE));
            }
            return length > 0;
        } catch (IOException e) {
            return false; // the disk has stopped the process, and what is on it stays as it is
        }
    }

    /** It is to die in one of its next writes. */
    public boolean doomed() {
        return doomed;
    }

    /** It need not die after all. */
    public void spare() {
        doomed = false;
        withJournal().forEach(disk -> disk.crashAtMutation(Long.MAX_VALUE));
    }

    /** A disk has stopped the process. */
    public boolean dying() {
        return doomed && up() && withJournal().stream().anyMatch(MemoryVolumeIo::crashed);
    }

    public void crash(MemoryVolumeIo.Loss loss) {
        process.kill();
        doomed = false;
        homeDisk.restart(loss);
        disks.forEach(disk -> disk.restart(loss));
        staged.ifPresent(disk -> disk.restart(loss));
        world.network().processGone(host());
    }

    /** Stops the process as SIGSTOP does: its connections stay open, and nobody answers. */
    public void freeze() {
        process.freeze();
    }

    public void thaw() {
        process.thaw();
    }

    /** The doors to its disks, in the order of its volumes. */
    public List<SimDisk> doors() {
        return List.copyOf(doors);
    }

    /** Returns which of its volumes has this number; empty before it has one. */
    public OptionalInt diskOf(VolumeId volume) {
        if (!has(volume)) {
            return OptionalInt.empty();
        }
        String path = volumes.numbered().get(volume).volume().path();
        return IntStream.range(0, disks.size())
                .filter(disk -> disks.get(disk).describe().equals(path))
                .findFirst();
    }

    /** Returns whether it has given a disk up, or takes no change there, until it is started again. */
    public boolean givenUp(int disk) {
        String path = disks.get(disk).describe();
        Optional<ServedVolume> served = volumes.all().stream()
                .filter(one -> one.volume().path().equals(path))
                .findFirst();
        return served.filter(one -> one.volume().state() != VolumeState.FAILED
                        && one.volume().state() != VolumeState.READ_ONLY)
                .isEmpty();
    }

    public void isolate() {
        isolated = true;
        world.network().isolate(host());
    }

    public void heal() {
        isolated = false;
        world.network().heal(host());
    }

    /** Returns whether it has the volume, or had it when it was last up. */
    public boolean has(VolumeId volume) {
        return volumes != null && volumes.numbered().containsKey(volume);
    }

    /** Chunks on one of its volumes; none while it is down. */
    public Optional<ChunkRecord> find(VolumeId volume, ChunkId chunk) {
        return up() && has(volume) ? volumes.numbered().get(volume).volume().find(chunk) : Optional.empty();
    }

    /** Gives a chunk another first byte, and the window the checksum of that: the disk finds nothing wrong. */
    public void falsify(VolumeId volume, ChunkId chunk) {
        staged.ifPresent(StagedDisk::disturb);
        try {
            files(volume, chunk).orElseThrow().falsify();
        } catch (IOException e) {
            throw new SimulationFailure("chunk " + chunk + " cannot be falsified", e);
        }
    }

    /** The files of a published chunk. */
    public Optional<ChunkOnDisk> files(VolumeId volume, ChunkId chunk) {
        return find(volume, chunk).flatMap(record -> {
            String path =
                    volumes.numbered().get(volume).volume().dataFile(chunk).orElseThrow();
            return disks.stream()
                    .filter(disk -> path.startsWith(disk.describe() + "/"))
                    .map(disk -> new ChunkOnDisk(
                            disk,
                            staged.isPresent() && staged.get().memory().equals(disk)
                                    ? staged.get().staged()
                                    : disk,
                            path.substring(disk.describe().length() + 1)))
                    .findFirst();
        });
    }

    /** Chunks on its volumes, by volume; volumes that the cluster has not numbered yet are left out. */
    public Map<VolumeId, List<ChunkRecord>> chunks() {
        Map<VolumeId, List<ChunkRecord>> chunks = new TreeMap<>();
        if (up()) {
            volumes.numbered()
                    .forEach((volume, served) ->
                            chunks.put(volume, served.volume().records(Optional.empty(), Integer.MAX_VALUE)));
        }
        return chunks;
    }
}
