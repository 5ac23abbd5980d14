package io.ecfs.datanode.server;

import static io.ecfs.datanode.store.Chunks.CELL;
import static io.ecfs.datanode.store.Chunks.POLICY;
import static io.ecfs.datanode.store.Chunks.id;
import static io.ecfs.datanode.store.Chunks.payload;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.ecfs.code.kernel.Kernels;
import io.ecfs.config.ConfigReader;
import io.ecfs.env.real.JoinTokenFile;
import io.ecfs.env.real.RealEnvironment;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.Stamp;
import io.ecfs.message.Address;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.FeatureLevel;
import io.ecfs.message.Greeting;
import io.ecfs.message.VolumeId;
import io.ecfs.message.chunk.BlockToken;
import io.ecfs.message.chunk.BlockToken.Right;
import io.ecfs.message.chunk.ChunkState;
import io.ecfs.message.datanode.DatanodeOrder;
import io.ecfs.message.datanode.DatanodeReport;
import io.ecfs.message.datanode.TokenKey;
import io.ecfs.token.BlockTokens;
import io.ecfs.token.JoinToken;
import io.ecfs.transfer.ChunkBytes;
import io.ecfs.transfer.ChunkClient;
import io.ecfs.wire.Envelope;
import io.ecfs.wire.PeerIdentity;
import io.ecfs.wire.WireLoops;
import io.ecfs.wire.WireOptions;
import io.ecfs.wire.client.WireClient;
import io.ecfs.wire.server.WireServer;
import io.ecfs.wire.tls.PeerProof;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A whole datanode over loopback, its files in a directory. */
@Timeout(300)
class DatanodeDaemonTest {
    private static final Address ANY = new Address("127.0.0.1", 0);
    private static final ChunkId CHUNK = id(17, 3);
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @TempDir
    private Path directory;

    private final WireLoops loops = WireLoops.open("test", 2);
    private final PretendNamenode namenode = new PretendNamenode();
    private TokenKey key;
    private WireServer namenodeServer;
    private WireClient client;
    private final AtomicInteger greetings = new AtomicInteger();
    /** Guarded by {@code namenode}, as that is itself. */
    private final Set<PeerIdentity> reporters = new HashSet<>();

    @BeforeEach
    void begin() throws EcfsException {
        var environment = RealEnvironment.open();
        key = new TokenKey(
                1,
                environment.randomness().bytes(TokenKey.SECRET_BYTES),
                environment.clock().epochMillis() + 3_600_000);
        namenode.keys = List.of(key);
        namenodeServer = serve(ANY, PeerProof.NONE);
        client = new WireClient(
                loops,
                WireOptions.defaults(),
                () -> new Greeting.Hello(Greeting.PROTOCOL_VERSION, "c1", "ann", List.of(), "client"));
    }

    @AfterEach
    void end() {
        client.close();
        namenodeServer.close();
        loops.close();
    }

    private WireServer serve(Address listen, PeerProof proof) throws EcfsException {
        return WireServer.start(
                loops,
                WireOptions.defaults(),
                listen,
                () -> {
                    greetings.incrementAndGet();
                    return new Greeting.Welcome(Greeting.PROTOCOL_VERSION, "c1", "namenode nn0");
                },
                proof,
                (session, envelope) -> {
                    synchronized (namenode) {
                        reporters.add(session.identity());
                        return CompletableFuture.completedFuture(
                                Envelope.of(namenode.answer((DatanodeReport) envelope.head())));
                    }
                });
    }

    private DatanodeConfig config(String... volumes) {
        String yaml = "id: dn1\nhome: " + directory.resolve("home") + "\nlisten: 127.0.0.1:0\nrack: /r1\nnamenodes: ["
                + namenodeServer.address() + "]\nvolumes: ["
                + String.join(
                        ", ",
                        List.of(volumes).stream()
                                .map(name -> directory.resolve(name).toString())
                                .toList())
                + "]\nstatus: 127.0.0.1:0\ncontrol:\n  heartbeatInterval: 50ms\nstore:\n  reserveBytes: 0\n";
        return ConfigReader.read(DatanodeConfig.class, "datanode.yaml", yaml, List.of());
    }

    private DatanodeDaemon start(String... volumes) throws EcfsException {
        DatanodeDaemon daemon = DatanodeDaemon.start(config(volumes), loops, Kernels.java(), RealEnvironment.open());
        await().atMost(PATIENCE)
                .until(() -> daemon.controlPlane().registeredLinks().join() == 1);
        return daemon;
    }

    private BlockToken token(Right right) {
        return BlockTokens.sign(key, CHUNK.group(), Stamp.NONE, right, key.expiresAtMillis());
    }

    private VolumeId volume(DatanodeDaemon daemon, int position) {
        return namenode.numbers.get(
                daemon.volumes().all().get(position).volume().uuid());
    }

    @Test
    void inAClusterThatWantsProofsItTalksToNoNamenodeWithoutOne() throws Exception {
        var randomness = RealEnvironment.open().randomness();
        JoinToken token = JoinTokenFile.readOrCreate(directory.resolve("home/join.token"), randomness);
        PeerProof proof = new PeerProof(Optional.of(token), randomness, () -> true);
        namenode.levelInForce = Optional.of(FeatureLevel.PROVED_PEERS);
        namenodeServer.close();
        namenodeServer = serve(ANY, proof);
        try (DatanodeDaemon daemon = start("v1")) {
            Address at = namenodeServer.address();
            namenodeServer.close();
            int before = greetings.get();
            namenodeServer = serve(at, PeerProof.NONE);
            await().atMost(PATIENCE).until(() -> greetings.get() >= before + 3);
            namenodeServer.close();
            synchronized (namenode) {
                assertThat(reporters).containsExactly(new PeerIdentity.Datanode(new DatanodeId("dn1")));
                namenode.beats.clear();
            }
            namenodeServer = serve(at, proof);
            await().atMost(PATIENCE).until(() -> {
                synchronized (namenode) {
                    return !namenode.beats.isEmpty();
                }
            });
            assertThat(daemon.controlPlane().levelInForce()).isEqualTo(FeatureLevel.PROVED_PEERS);
        }
    }

    @Test
    void aJoinTokenThatOthersMayReadStopsTheStart() throws Exception {
        Path token = directory.resolve("home/join.token");
        JoinTokenFile.readOrCreate(token, RealEnvironment.open().randomness());
        Files.setPosixFilePermissions(token, PosixFilePermissions.fromString("rw-r-----"));
        assertThatThrownBy(() -> start("v1")).hasMessageContaining("chmod 0600 " + token);
    }

    @Test
    void aChunkTravelsOverTheWireSurvivesARestartAndIsDeletedOnOrder() throws IOException {
        ChunkClient chunks = new ChunkClient(client, PATIENCE);
        try (DatanodeDaemon daemon = start("v1", "v2")) {
            Address to = daemon.address();
            VolumeId volume = volume(daemon, 1);
            List<CompletableFuture<?>> calls = List.of(
                    chunks.open(to, CHUNK, volume, POLICY, 5, token(Right.WRITE)),
                    chunks.write(to, CHUNK, 5, 0, payload(CHUNK, 0, CELL), CELL, 0, token(Right.WRITE)),
                    chunks.write(to, CHUNK, 5, CELL, payload(CHUNK, CELL, CELL), CELL, 0, token(Right.WRITE)),
                    chunks.write(
                            to,
                            CHUNK,
                            5,
                            2L * CELL,
                            payload(CHUNK, 2L * CELL, 100),
                            100,
                            6L * CELL + 300,
                            token(Right.WRITE)),
                    chunks.finish(to, CHUNK, 5, 2L * CELL + 100, 6L * CELL + 300, true, token(Right.WRITE)));
            calls.forEach(CompletableFuture::join);
            assertThat(chunks.probe(to, CHUNK, volume, token(Right.READ)).join().file())
                    .isEqualTo(directory.resolve("v2/finalised/11/17.3.0.data").toString());
            assertReads(chunks, to, volume);
            await().atMost(PATIENCE).until(() -> daemon.readLoans() == 0);
            assertRefused(ErrorCode.TOKEN_REFUSED, chunks.read(to, id(18, 0), volume, 0, 1, token(Right.READ)));
        }
        try (DatanodeDaemon daemon = start("v1", "v2")) {
            VolumeId volume = volume(daemon, 1);
            assertReads(chunks, daemon.address(), volume);
            await().atMost(PATIENCE).until(() -> reported(volume) == ChunkState.FINALISED);
            synchronized (namenode) {
                namenode.orders = List.of(new DatanodeOrder.Delete(volume, CHUNK, Stamp.NONE));
            }
            await().atMost(PATIENCE).until(() -> reported(volume) == null);
            assertThat(Files.exists(directory.resolve("v2/finalised/11/17.3.0.data")))
                    .isFalse();
        }
    }

    @Test
    void otherUsersOfTheMachineHaveNoWayIntoItsDirectories() throws IOException {
        Files.createDirectory(
                directory.resolve("v2"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
        try (DatanodeDaemon daemon = start("v1", "v2")) {
            ChunkClient chunks = new ChunkClient(client, PATIENCE);
            VolumeId volume = volume(daemon, 1);
            chunks.open(daemon.address(), CHUNK, volume, POLICY, 5, token(Right.WRITE))
                    .join();
        }
        for (String made : List.of("home", "v1", "v2")) {
            assertThat(mode(made)).as(made).isEqualTo("rwx------");
            assertThat(mode(made + "/VERSION")).as(made).isEqualTo("rw-------");
            assertThat(mode(made + "/in_use.lock")).as(made).isEqualTo("rw-------");
        }
        assertThat(mode("v2/writing/11")).isEqualTo("rwx------");
        assertThat(mode("v2/writing/11/17.3.0.data")).isEqualTo("rw-------");
        assertThat(mode("v2/writing/11/17.3.0.sum")).isEqualTo("rw-------");
        for (String open : List.of("v1", "home")) {
            Path path = directory.resolve(open);
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxrwxr-x"));
            assertThatThrownBy(() -> start("v1", "v2").close())
                    .isInstanceOf(EcfsException.class)
                    .hasMessageContaining("may be written by other users")
                    .hasMessageContaining("run 'chmod 700 " + path + "'");
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwx------"));
        }
        start("v1", "v2").close();
    }

    private String mode(String file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(directory.resolve(file)));
    }

    private ChunkState reported(VolumeId volume) {
        synchronized (namenode) {
            var records = namenode.chunks.get(volume);
            return records == null || !records.containsKey(CHUNK)
                    ? null
                    : records.get(CHUNK).state();
        }
    }

    private void assertReads(ChunkClient chunks, Address to, VolumeId volume) {
        try (ChunkBytes bytes = chunks.read(to, CHUNK, volume, 5000, 2 * CELL + 100 - 5000, token(Right.READ))
                .join()) {
            assertThat(bytes.offset()).isEqualTo(4096);
            assertThat(bytes.end()).isEqualTo(2L * CELL + 100);
        }
    }

    private static void assertRefused(ErrorCode code, CompletableFuture<?> call) {
        CompletionException e = catchThrowableOfType(CompletionException.class, call::join);
        assertThat(EcfsException.of(e).code()).isEqualTo(code);
    }

    @Test
    void tellsItsHealthAndNumbersOverHttp() throws Exception {
        try (DatanodeDaemon daemon = start("v1")) {
            assertThat(get(daemon, "/health").body()).isEqualTo("datanode dn1: 1 of 1 volumes work\n");
            assertThat(get(daemon, "/metrics").body())
                    .contains("# TYPE ecfs_volume_chunks gauge\necfs_volume_chunks{path=\"")
                    .contains("ecfs_datanode_read_buffer_bytes 0\n");
            assertThat(get(daemon, "/nothing").statusCode()).isEqualTo(404);
        }
    }

    private static HttpResponse<String> get(DatanodeDaemon daemon, String path) throws Exception {
        URI uri = URI.create("http://" + daemon.statusAddress().orElseThrow() + path);
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void aDirectoryInUseOrOfAnotherDatanodeStopsTheStart() throws IOException {
        try (DatanodeDaemon daemon = start("v1")) {
            EcfsException busy = catchThrowableOfType(
                    EcfsException.class,
                    () -> DatanodeDaemon.start(config("v1"), loops, Kernels.java(), RealEnvironment.open()));
            assertThat(busy).hasMessageContaining("in use by another datanode");
            assertThat(daemon.controlPlane().registeredLinks().join()).isEqualTo(1);
        }
        Files.move(directory.resolve("home"), directory.resolve("home.old"));
        EcfsException stranger = catchThrowableOfType(
                EcfsException.class,
                () -> DatanodeDaemon.start(config("v1"), loops, Kernels.java(), RealEnvironment.open()));
        assertThat(stranger.code()).isEqualTo(ErrorCode.WRONG_CLUSTER);
        Files.move(directory.resolve("home"), directory.resolve("home.stranger"));
        Files.move(directory.resolve("home.old"), directory.resolve("home"));
        start("v1").close();
    }

    @Test
    void aVolumeThatCannotBeOpenedIsLeftOutAndToldOf() throws Exception {
        Files.writeString(directory.resolve("broken"), "a file where a directory should be");
        try (DatanodeDaemon daemon = start("v1", "broken")) {
            assertThat(get(daemon, "/health").statusCode()).isEqualTo(503);
            assertThat(get(daemon, "/health").body()).contains("1 of 2 volumes work");
        }
    }

    private String uuid(DatanodeDaemon daemon, int position) {
        return daemon.volumes().all().get(position).volume().uuid();
    }

    private DatanodeDaemon startReplacing(String replaced, boolean sameDevice, String... volumes) throws EcfsException {
        Set<Path> paths = replaced.isEmpty() ? Set.of() : Set.of(directory.resolve(replaced));
        return DatanodeDaemon.start(
                config(volumes),
                new VolumeReplacement(paths, sameDevice),
                loops,
                Kernels.java(),
                RealEnvironment.open());
    }

    private void refused(String replaced, boolean sameDevice, String says) {
        assertThatThrownBy(() -> startReplacing(replaced, sameDevice, "v1", "v2"))
                .isInstanceOfSatisfying(
                        EcfsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT))
                .hasMessageContaining(says)
                .satisfies(e -> assertThat(e.getMessage().lines()).hasSize(1));
    }

    private void unmount(String volume) throws IOException {
        Files.move(directory.resolve(volume), directory.resolve(volume + ".drive"));
    }

    private void mount(String volume) throws IOException {
        Files.deleteIfExists(directory.resolve(volume));
        Files.move(directory.resolve(volume + ".drive"), directory.resolve(volume));
    }

    @Test
    void anEmptyDirectoryInThePlaceOfAVolumeIsLeftEmpty() throws Exception {
        String known;
        try (DatanodeDaemon daemon = start("v1", "v2")) {
            known = uuid(daemon, 1);
        }
        unmount("v2");
        Files.createDirectory(directory.resolve("v2"));
        try (DatanodeDaemon daemon = start("v1", "v2")) {
            assertThat(daemon.volumes().all()).hasSize(1);
            assertThat(get(daemon, "/health").body()).contains("1 of 2 volumes work");
        }
        assertThat(directory.resolve("v2")).isEmptyDirectory();
        mount("v2");
        try (DatanodeDaemon daemon = start("v1", "v2")) {
            assertThat(uuid(daemon, 1)).isEqualTo(known);
        }
    }

    @Test
    void aMountPointThatIsGoneIsNotMadeAnew() throws Exception {
        start("v1", "v2").close();
        unmount("v2");
        try (DatanodeDaemon daemon = start("v1", "v2")) {
            assertThat(daemon.volumes().all()).hasSize(1);
        }
        assertThat(directory.resolve("v2")).doesNotExist();
    }

    @Test
    void anOperatorMayHaveAKnownVolumeReplacedByANewOne() throws Exception {
        String known;
        try (DatanodeDaemon daemon = start("v1", "v2")) {
            known = uuid(daemon, 1);
        }
        unmount("v2");
        Files.createDirectory(directory.resolve("v2"));
        String fresh;
        try (DatanodeDaemon daemon = startReplacing("v2", true, "v1", "v2")) {
            fresh = uuid(daemon, 1);
            assertThat(fresh).isNotEqualTo(known);
        }
        try (DatanodeDaemon daemon = start("v1", "v2", "v3")) {
            assertThat(uuid(daemon, 1)).isEqualTo(fresh);
            assertThat(daemon.volumes().all())
                    .as("a path that was never known is a new volume")
                    .hasSize(3);
        }
    }

    @Test
    void aReplacementIsRefusedWhereItCannotBeMeantAndNothingIsChanged() throws Exception {
        start("v1", "v2").close();
        refused("v2", true, "has a volume: start without --replace-volume");
        unmount("v1");
        unmount("v2");
        refused("v2", true, "v2 is no directory: mount the new drive there");
        Files.createDirectory(directory.resolve("v1"));
        Files.createDirectory(directory.resolve("v2"));
        refused("home", true, "is no volume of datanode dn1: name one of [");
        refused("v2", false, "is on the same device as " + directory + ", so the new drive is probably not mounted");
        refused("", true, "--same-device says how --replace-volume works");
        assertThat(directory.resolve("v2")).isEmptyDirectory();
        try (DatanodeDaemon daemon = startReplacing("v2", true, "v1", "v2")) {
            assertThat(daemon.volumes().all()).as("the other is still refused").hasSize(1);
        }
        assertThat(directory.resolve("v1")).isEmptyDirectory();
    }

    @Test
    void aHomeOfAnEarlierReleaseLearnsItsVolumes() throws Exception {
        start("v1", "v2").close();
        Files.delete(directory.resolve("home/VOLUMES"));
        unmount("v2");
        for (int start = 1; start <= 2; start++) {
            Files.createDirectories(directory.resolve("v2"));
            try (DatanodeDaemon daemon = start("v1", "v2")) {
                assertThat(daemon.volumes().all()).as("at start %s", start).hasSize(1);
            }
            assertThat(directory.resolve("v2")).isEmptyDirectory();
        }
        mount("v2");
        try (DatanodeDaemon daemon = start("v1", "v2", "v3")) {
            assertThat(daemon.volumes().all()).hasSize(3);
        }
    }

    @Test
    void volumesThatChangedPlacesAreKnownByTheirUuids() throws Exception {
        String one;
        String two;
        try (DatanodeDaemon daemon = start("v1", "v2")) {
            one = uuid(daemon, 0);
            two = uuid(daemon, 1);
        }
        unmount("v1");
        unmount("v2");
        Files.move(directory.resolve("v1.drive"), directory.resolve("v2"));
        Files.move(directory.resolve("v2.drive"), directory.resolve("v1"));
        try (DatanodeDaemon daemon = start("v1", "v2")) {
            assertThat(uuid(daemon, 0)).isEqualTo(two);
            assertThat(uuid(daemon, 1)).isEqualTo(one);
        }
    }

    @Test
    void aDamagedMemoryOfVolumesStopsTheStart() throws Exception {
        start("v1").close();
        Path memory = directory.resolve("home/VOLUMES");
        Files.writeString(memory, Files.readString(memory).replace("version=1", "version=2"));
        EcfsException damaged = catchThrowableOfType(
                EcfsException.class,
                () -> DatanodeDaemon.start(config("v1"), loops, Kernels.java(), RealEnvironment.open()));
        assertThat(damaged.code()).isEqualTo(ErrorCode.MALFORMED);
    }
}
