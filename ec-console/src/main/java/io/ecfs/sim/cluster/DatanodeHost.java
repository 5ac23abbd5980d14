package io.ecfs.sim.cluster;

import io.ecfs.buffer.BufferPool;
import io.ecfs.code.construction.Codes;
import io.ecfs.code.kernel.Kernels;
import io.ecfs.datanode.relay.CellSink;
import io.ecfs.datanode.relay.RelayService;
import io.ecfs.datanode.relay.RelaySettings;
import io.ecfs.datanode.repair.RepairSettings;
import io.ecfs.datanode.repair.Repairer;
import io.ecfs.datanode.rewrite.Rewriter;
import io.ecfs.datanode.server.BackgroundSync;
import io.ecfs.datanode.server.ChunkService;
import io.ecfs.datanode.server.ControlPlane;
import io.ecfs.datanode.server.ControlSettings;
import io.ecfs.datanode.server.DatanodeConfig;
import io.ecfs.datanode.server.ServedVolume;
import io.ecfs.datanode.server.Volumes;
import io.ecfs.datanode.store.DatanodeHome;
import io.ecfs.datanode.store.ReadErrorAllowance;
import io.ecfs.datanode.store.Volume;
import io.ecfs.datanode.store.VolumeTerms;
import io.ecfs.datanode.store.memory.MemoryVolumeIo;
import io.ecfs.datanode.store.queue.VolumeQueue;
import io.ecfs.env.Environment;
import io.ecfs.layout.ChunkId;
import io.ecfs.message.Address;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.FeatureLevel;
import io.ecfs.message.VolumeId;
import io.ecfs.message.chunk.ChunkRecord;
import io.ecfs.sim.time.SimProcess;
import io.ecfs.sim.time.SimulationFailure;
import io.ecfs.sim.time.SteppedClock;
import io.ecfs.token.BlockTokenVerifier;
import io.ecfs.transfer.ChunkClient;
import io.ecfs.transfer.ChunkPayload;
import io.ecfs.wire.Caller;
import io.ecfs.wire.PeerIdentity;
import io.ecfs.wire.Session;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.zip.CRC32C;

/** A machine of a real datanode: control plane, chunk service and volumes, on disks in memory that outlive crashes. */
public final class DatanodeHost implements SteppedClock {
    public static final long DISK_BYTES = 64 << 20;
    /** Before the checksums of a chunk; docs/formats.md. */
    private static final int CHUNK_HEADER_BYTES = 512;

    private static final int QUEUE_BOUND = 1000;
    private static final int READ_BYTES = 1 << 20;
    private static final Duration SYNC_INTERVAL =
            DatanodeConfig.StoreSettings.defaults().syncInterval();
    private static final ControlSettings CONTROL = new ControlSettings(
            Duration.ofMillis(1500),
            Duration.ofSeconds(3),
            Duration.ofMillis(20),
            Duration.ofSeconds(15),
            3,
            5,
            40,
            100,
            4);

    private static final RelaySettings RELAY =
            new RelaySettings(1 << 20, 4, Duration.ofSeconds(5), Duration.ofSeconds(3), 1);
    private static final RepairSettings REPAIR =
            new RepairSettings(2, 1, 32 << 20, 8 << 10, 3, 0, Duration.ofSeconds(3), RepairSettings.Limit.NONE);

    private final World world;
    private final DatanodeId id;
    private final Address address;
    private final String rack;
    private final List<Address> namenodes;
    private final SplittableRandom random;
    private final MemoryVolumeIo homeDisk;
    private final List<MemoryVolumeIo> disks = new ArrayList<>();
    private SimProcess process;
    private Volumes volumes;
    private boolean isolated;
    private boolean doomed;

    DatanodeHost(World world, int number, List<Address> namenodes, SplittableRandom random) {
        this.world = world;
        this.id = new DatanodeId("dn" + number);
        this.address = new Address(id.name(), 9000);
        this.rack = "/rack" + number % 2;
        this.namenodes = namenodes;
        this.random = random;
        this.homeDisk = new MemoryVolumeIo(id + "-home", DISK_BYTES, random.split());
        for (int volume = 0; volume <= number % 2; volume++) {
            disks.add(new MemoryVolumeIo(id + "-disk" + volume, DISK_BYTES, random.split()));
        }
    }

    DatanodeId id() {
        return id;
    }

    public String host() {
        return address.host();
    }

    public String rack() {
        return rack;
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
            for (MemoryVolumeIo disk : disks) {
                VolumeTerms terms = new VolumeTerms(0, ReadErrorAllowance.USUAL, environment.clock(), true);
                Volume volume = Volume.open(disk, home.identity(), terms, environment.randomness()::uuid);
                VolumeQueue queue = new VolumeQueue(
                        process.workers(disk.describe(), 2, 2 * QUEUE_BOUND), 2, QUEUE_BOUND, environment.clock());
                served.add(new ServedVolume(volume, queue));
            }
            volumes = new Volumes(served);
            BackgroundSync sync = new BackgroundSync(environment.threads(), SYNC_INTERVAL);
            volumes.all().forEach(one -> sync.start(one.volume()));
            serve(home, environment);
        } catch (IOException e) {
            throw new SimulationFailure("datanode " + id + " cannot start", e);
        }
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
                REPAIR,
                () -> 0,
                () -> Double.NaN);
        Rewriter rewriter = new Rewriter(
                id.name(), new ChunkClient(caller, REPAIR.readTimeout()), codes, environment, repairer::calmly);
        ControlPlane plane = new ControlPlane(
                id,
                rack,
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
                CONTROL);
        BufferPool reads = new BufferPool("reads of " + id, 64L * READ_BYTES);
        CellSink others = CellSink.through(new ChunkClient(caller, REPAIR.readTimeout()));
        RelayService relays = new RelayService(id.name(), others, codes, environment, RELAY);
        world.network()
                .serve(
                        address,
                        process,
                        new ChunkService(
                                volumes,
                                tokens,
                                reads,
                                READ_BYTES,
                                false,
                                plane,
                                environment.clock(),
                                Optional.of(relays)));
        plane.start(address);
    }

    /** The process will die in the middle of one of its next writes to a disk. */
    public void crashInTheMiddle(int withinMutations) {
        doomed = true;
        MemoryVolumeIo disk = disks.get(random.nextInt(disks.size()));
        disk.crashAtMutation(disk.mutations() + random.nextInt(withinMutations));
    }

    /** The process will die at this change of each of its disks from now on, at the first that comes to it. */
    public void crashAtChange(int change) {
        doomed = true;
        disks.forEach(disk -> disk.crashAtMutation(disk.mutations() + change));
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
        disks.forEach(disk -> disk.crashAtMutation(Long.MAX_VALUE));
    }

    /** A disk has stopped the process. */
    public boolean dying() {
        return doomed && up() && disks.stream().anyMatch(MemoryVolumeIo::crashed);
    }

    public void crash(MemoryVolumeIo.Loss loss) {
        process.kill();
        doomed = false;
        homeDisk.restart(loss);
        disks.forEach(disk -> disk.restart(loss));
        world.network().processGone(host());
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
        Volume on = volumes.numbered().get(volume).volume();
        int bytes = Math.toIntExact(
                Math.min(ChunkPayload.WINDOW_BYTES, on.find(chunk).orElseThrow().bytes()));
        String path = on.dataFile(chunk).orElseThrow();
        MemoryVolumeIo disk = disks.stream()
                .filter(candidate -> path.startsWith(candidate.describe() + "/"))
                .findFirst()
                .orElseThrow();
        String data = path.substring(disk.describe().length() + 1);
        ByteBuffer window = ByteBuffer.allocate(bytes);
        try {
            disk.read(data, 0, window);
            window.put(0, (byte) ~window.get(0)).flip();
            CRC32C crc = new CRC32C();
            crc.update(window.duplicate());
            ByteBuffer checksum = ByteBuffer.allocate(Integer.BYTES).putInt(0, (int) crc.getValue());
            disk.write(data, 0, window);
            disk.write(data.replace(".data", ".sum"), CHUNK_HEADER_BYTES, checksum);
        } catch (IOException e) {
            throw new SimulationFailure("chunk " + chunk + " cannot be falsified", e);
        }
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
