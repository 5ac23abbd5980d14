package io.ecfs.namenode.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.dataformat.cbor.databind.CBORMapper;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.InodeId;
import io.ecfs.layout.Policy;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.FilePath;
import io.ecfs.message.FileStatus;
import io.ecfs.message.NamespaceRequest;
import io.ecfs.message.NamespaceRequest.Mutation;
import io.ecfs.message.RequestId;
import io.ecfs.message.SealedGroup;
import io.ecfs.message.VolumeId;
import io.ecfs.namenode.group.GroupFacts;
import io.ecfs.namenode.group.GroupFacts.Place;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class CommandCodecTest {
    private static final FilePath PATH = new FilePath("/a/\u00fc\uD83D\uDE00");
    private static final RequestId REQUEST = new RequestId("client", 7);
    private static final InodeId FILE = new InodeId(5);
    private static final GroupId GROUP = new GroupId(300);

    private final CommandCodec codec = new CommandCodec();

    static Stream<Mutation> mutations() {
        SealedGroup sealed = new SealedGroup(GROUP, 100, List.of(new ChunkId(GROUP, 0, 0), new ChunkId(GROUP, 2, 1)));
        return Stream.of(
                new NamespaceRequest.Mkdirs(REQUEST, PATH, 0755, true),
                new NamespaceRequest.Create(REQUEST, PATH, 0644, true, false, Optional.empty()),
                new NamespaceRequest.Create(
                        REQUEST, PATH, 0644, false, true, Optional.of(Policy.parse("clay-4-2-5-64k"))),
                new NamespaceRequest.AddGroup(REQUEST, FILE, Optional.of(sealed), List.of(new DatanodeId("dn1"))),
                new NamespaceRequest.SealGroup(REQUEST, FILE, sealed),
                new NamespaceRequest.CompleteFile(REQUEST, FILE, Optional.of(sealed), true),
                new NamespaceRequest.CompleteFile(REQUEST, FILE, Optional.empty()),
                new NamespaceRequest.LeaveOut(REQUEST, FILE, GROUP, List.of(0, 4)),
                new NamespaceRequest.AbandonFile(REQUEST, FILE),
                new NamespaceRequest.RecoverLease(REQUEST, PATH),
                new NamespaceRequest.Rename(REQUEST, PATH, FilePath.ROOT, true),
                new NamespaceRequest.Delete(REQUEST, PATH, true),
                new NamespaceRequest.SetMode(REQUEST, PATH, 0700),
                new NamespaceRequest.SetOwner(REQUEST, PATH, Optional.of("u"), Optional.empty()),
                new NamespaceRequest.SetTimes(REQUEST, PATH, Optional.of(-1L), Optional.empty()),
                new NamespaceRequest.SetPolicy(REQUEST, PATH, Optional.empty()));
    }

    static Stream<Applied> outcomes() {
        FileStatus status = new FileStatus(
                PATH, FILE, false, 100, true, 0644, "owner", "group", -5, 1L << 40, Policy.parse("rs-2-1-64k"));
        GroupFacts group = new GroupFacts(
                GROUP,
                FILE,
                Policy.parse("rs-2-1-64k"),
                GroupFacts.OPEN_LENGTH,
                List.of(
                        new Place(Optional.of(new VolumeId(1)), 0),
                        new Place(Optional.empty(), 4),
                        new Place(Optional.of(new VolumeId(300)), 1000)));
        return Stream.of(
                new Applied.Done(),
                new Applied.Status(status),
                new Applied.Created(status, group),
                new Applied.Allocated(group),
                new Applied.Refused(ErrorCode.NOT_EMPTY, "directory /a is not empty"),
                new Applied.Recovery(FILE, true),
                new Applied.Registered(Map.of("uuid", new VolumeId(9))),
                new Applied.Purged(3));
    }

    @ParameterizedTest
    @MethodSource("mutations")
    void everyCallComesBackEqual(Mutation mutation) throws EcfsException {
        for (Command.Call call : List.of(
                new Command.Call(
                        -1,
                        new Caller("user", List.of("a", "b")),
                        mutation,
                        List.of(new VolumeId(1), new VolumeId(70_000)),
                        Optional.of("holder")),
                new Command.Call(1L << 41, new Caller("user", List.of()), mutation, List.of(), Optional.empty()))) {
            assertThat(codec.command(codec.encode(call))).isEqualTo(call);
        }
    }

    @ParameterizedTest
    @MethodSource("outcomes")
    void everyOutcomeComesBackEqual(Applied applied) throws EcfsException {
        assertThat(codec.applied(codec.encode(applied))).isEqualTo(applied);
    }

    @Test
    void aCallThatAnEarlierReleaseWroteAsCborIsRead() throws Exception {
        Map<String, Object> mutation = new LinkedHashMap<>();
        mutation.put("is", "delete");
        mutation.put("request", Map.of("client", "client", "sequence", 7));
        mutation.put("path", "/a");
        mutation.put("recursive", true);
        Map<String, Object> call = new LinkedHashMap<>();
        call.put("is", "call");
        call.put("nowMillis", 12);
        call.put("caller", Map.of("user", "user", "groups", List.of()));
        call.put("mutation", mutation);
        call.put("candidates", List.of());
        call.put("expiredHolder", null);

        assertThat(codec.command(new CBORMapper().writeValueAsBytes(call)))
                .isEqualTo(new Command.Call(
                        12,
                        new Caller("user", List.of()),
                        new NamespaceRequest.Delete(REQUEST, new FilePath("/a"), true),
                        List.of(),
                        Optional.empty()));
    }

    @Test
    void damagedBytesAreMalformedOrReadButNeverBreakOut() {
        List<byte[]> originals = Stream.concat(
                        mutations()
                                .map(m -> codec.encode(new Command.Call(
                                        1, new Caller("u", List.of("g")), m, List.of(), Optional.of("h")))),
                        outcomes().map(codec::encode))
                .toList();
        for (long seed = 0; seed < 2000; seed++) {
            Random random = new Random(seed);
            byte[] bytes = originals.get(random.nextInt(originals.size())).clone();
            bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
            byte[] damaged = random.nextBoolean() ? bytes : Arrays.copyOf(bytes, random.nextInt(bytes.length));
            try {
                codec.command(damaged);
                codec.applied(damaged);
            } catch (EcfsException e) {
                assertThat(e.code()).as("seed %d: %s", seed, e.getMessage()).isEqualTo(ErrorCode.MALFORMED);
            }
        }
    }

    @Test
    void aMessageThatIsNoChangeIsNoCall() {
        byte[] bytes = codec.encode(new Command.Call(
                1,
                new Caller("u", List.of()),
                new NamespaceRequest.Delete(REQUEST, new FilePath("/a"), true),
                List.of(),
                Optional.empty()));
        byte[] other = bytes.clone();
        // Version, time, "u", no groups; then the record's number: 273, of which 256 is GetStatus.
        int number = 1 + Long.BYTES + 2 + 1;
        assertThat(other[number]).isEqualTo((byte) 0x91);
        other[number] = (byte) 0x80;
        assertThatThrownBy(() -> codec.command(other))
                .isInstanceOfSatisfying(
                        EcfsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.MALFORMED));
    }
}
