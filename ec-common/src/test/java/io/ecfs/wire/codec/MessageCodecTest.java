package io.ecfs.wire.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.dataformat.cbor.databind.CBORMapper;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.Policy;
import io.ecfs.layout.RingId;
import io.ecfs.layout.Stamp;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.Failure;
import io.ecfs.message.FilePath;
import io.ecfs.message.Greeting;
import io.ecfs.message.Message;
import io.ecfs.message.VolumeId;
import io.ecfs.message.chunk.BlockToken;
import io.ecfs.message.chunk.ChunkChange;
import io.ecfs.message.chunk.ChunkRecord;
import io.ecfs.message.chunk.ChunkReply;
import io.ecfs.message.chunk.ChunkRequest;
import io.ecfs.message.chunk.ChunkState;
import io.ecfs.message.chunk.RelayToken;
import io.ecfs.message.datanode.DatanodeReply;
import io.ecfs.message.datanode.DatanodeReport;
import io.ecfs.message.namespace.LocatedGroup;
import io.ecfs.message.namespace.NamespaceReply;
import io.ecfs.message.namespace.NamespaceRequest;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class MessageCodecTest {
    private final MessageCodec codec = new MessageCodec();
    private final RecordCodec records = new RecordCodec();

    static Stream<Class<? extends Message>> everyRecordThatTravels() {
        return WireNumbers.all().values().stream();
    }

    @ParameterizedTest
    @MethodSource("everyRecordThatTravels")
    void everyMessageComesBackEqual(Class<? extends Message> kind) throws EcfsException {
        for (long seed = 0; seed < 20; seed++) {
            Message message = (Message) new SampleRecords(seed).any(kind);
            ByteBuf bytes = Unpooled.buffer();
            codec.encode(message, bytes);
            assertThat(codec.decode(WireNumbers.of(kind), bytes))
                    .as("seed %d", seed)
                    .isEqualTo(message);
        }
    }

    @ParameterizedTest
    @MethodSource("everyRecordThatTravels")
    void flippedAndTruncatedHeadsAreRefusedOrReadButNeverBreakOut(Class<? extends Message> kind) {
        for (long seed = 0; seed < 40; seed++) {
            Random random = new Random(seed);
            ByteBuf bytes = Unpooled.buffer();
            codec.encode((Message) new SampleRecords(seed).any(kind), bytes);
            if (random.nextBoolean()) {
                bytes.writerIndex(random.nextInt(bytes.writerIndex() + 1));
            }
            for (int flips = random.nextInt(4); flips > 0 && bytes.isReadable(); flips--) {
                int at = random.nextInt(bytes.writerIndex());
                bytes.setByte(at, bytes.getByte(at) ^ (1 << random.nextInt(8)));
            }
            try {
                assertThat(codec.decode(WireNumbers.of(kind), bytes)).isInstanceOf(kind);
            } catch (EcfsException e) {
                assertThat(e.code()).as("seed %d: %s", seed, e.getMessage()).isEqualTo(ErrorCode.MALFORMED);
                assertThat(e.getMessage()).doesNotContain("\n").contains(kind.getSimpleName());
            }
        }
    }

    /** A message that loses its fixed head cannot be read by a peer of an earlier release. */
    @Test
    void theseMessagesHaveAFixedHead() {
        assertThat(WireNumbers.all().values().stream()
                        .filter(kind -> HotHeads.covers(kind) || NamespaceHeads.covers(kind))
                        .map(kind -> kind.getName().replaceFirst("^.*\\.", "")))
                .containsExactlyInAnyOrder(
                        "ChunkRequest$WriteCells",
                        "ChunkRequest$RelayCell",
                        "ChunkReply$Relayed",
                        "ChunkRequest$ReadChunk",
                        "ChunkRequest$PutChunk",
                        "ChunkRequest$WriteTail",
                        "ChunkReads",
                        "CancelCalls",
                        "ChunkReply$Written",
                        "ChunkReply$Finished",
                        "ChunkReply$Data",
                        "ChunkReply$TailWritten",
                        "NamespaceRequest$GetStatus",
                        "NamespaceRequest$ListStatus",
                        "NamespaceRequest$Locate",
                        "NamespaceRequest$LocateAll",
                        "NamespaceRequest$Mkdirs",
                        "NamespaceRequest$Create",
                        "NamespaceRequest$CreateWithoutGroup",
                        "NamespaceRequest$CommitFiles",
                        "NamespaceRequest$AddGroup",
                        "NamespaceRequest$SealGroup",
                        "NamespaceRequest$CompleteFile",
                        "NamespaceRequest$ReplaceLayout",
                        "NamespaceRequest$Rename",
                        "NamespaceRequest$Delete",
                        "NamespaceReply$Done",
                        "NamespaceReply$Status",
                        "NamespaceReply$Listing",
                        "NamespaceReply$Created",
                        "NamespaceReply$Allocated",
                        "NamespaceReply$Located",
                        "NamespaceReply$LocatedAll");
    }

    /** A client of an earlier release reads this head, as long as no volume writes in a ring. */
    @Test
    void thatAVolumeWritesIsTheTopBitOfTheBytes() throws EcfsException {
        ChunkReply.Data reads = new ChunkReply.Data(new ChunkId(new GroupId(7), 2, 1), 4096, 8192);
        ChunkReply.Data writes = new ChunkReply.Data(reads.chunk(), 4096, 8192, true);
        byte[] plain = codec.encode(reads);
        byte[] flagged = codec.encode(writes);
        assertThat(flagged[24]).isEqualTo((byte) 0x80);
        flagged[24] = 0;
        assertThat(flagged).isEqualTo(plain).hasSize(28);
    }

    /** A peer of a release without rings sends neither of these fields, and skips them. */
    @Test
    void heartbeatsWithoutRingsAreRead() throws EcfsException {
        DatanodeReport.Heartbeat beat =
                new DatanodeReport.Heartbeat(new DatanodeId("dn1"), "u", List.of(), Optional.empty(), Optional.empty());
        assertThat(records.decode(DatanodeReport.Heartbeat.class, without(beat, "rings")))
                .isEqualTo(beat);
        DatanodeReply.HeartbeatReply reply =
                new DatanodeReply.HeartbeatReply(3, List.of(), List.of(), Optional.empty());
        assertThat(records.decode(DatanodeReply.HeartbeatReply.class, without(reply, "rings")))
                .isEqualTo(reply);
        DatanodeReport.VolumeOffer offer = new DatanodeReport.VolumeOffer("u", 7);
        assertThat(records.decode(DatanodeReport.VolumeOffer.class, without(offer, "directory")))
                .isEqualTo(offer);
        assertThat(records.decode(DatanodeReport.VolumeOffer.class, without(offer, "journalBound")))
                .isEqualTo(offer);
    }

    private byte[] without(Record value, String component) {
        CBORMapper mapper = new CBORMapper();
        try {
            Map<?, ?> map = mapper.readValue(records.encode(value), LinkedHashMap.class);
            assertThat(map.remove(component)).isNull();
            return mapper.writeValueAsBytes(map);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aReportOfChunksThatComeAndGoIsShortAndAnyOtherStaysAMap() throws EcfsException {
        ChunkId chunk = new ChunkId(new GroupId(7), 2, 1);
        ChunkRecord record = new ChunkRecord(chunk, ChunkState.FINALISED, 34_176, 34_176, 102_400, Stamp.NONE);
        ChunkChange present = new ChunkChange.Present(new VolumeId(3), record);
        ChunkChange gone = new ChunkChange.Gone(new VolumeId(3), chunk);
        ChunkChange fenced = new ChunkChange.Fenced(new VolumeId(3), record, 9);
        assertThat(encodedReport(present, gone)).hasSizeLessThan(100).startsWith(0);
        assertThat(encodedReport(present, fenced, gone)[0]).isNotZero();
        for (List<ChunkChange> changes :
                List.of(List.<ChunkChange>of(), List.of(present, gone), List.of(present, fenced, gone))) {
            ChunkChange[] some = changes.toArray(ChunkChange[]::new);
            assertThat(codec.decode(WireNumbers.of(DatanodeReport.ChangeReport.class), encodedReport(some)))
                    .isEqualTo(report(some));
        }
    }

    private byte[] encodedReport(ChunkChange... changes) {
        return codec.encode(report(changes));
    }

    private static DatanodeReport.ChangeReport report(ChunkChange... changes) {
        return new DatanodeReport.ChangeReport(new DatanodeId("dn1"), "uuid", 77, List.of(changes));
    }

    /** What peers of level 1 get of a group does not change. */
    @Test
    void aRelayTokenIsBehindAGroupAndShowsInItsLength() {
        BlockToken token = (BlockToken) new SampleRecords(1).any(BlockToken.class);
        GroupId group = new GroupId(5);
        Policy policy = Policy.parse("rs-3-2-1024k");
        RelayToken relay = new RelayToken(group, token.stamp(), 9, 3, new byte[BlockToken.SIGNATURE_BYTES]);
        byte[] plain = codec.encode(
                new NamespaceReply.Allocated(new LocatedGroup(group, policy, LocatedGroup.OPEN, List.of(), token)));
        byte[] relayed = codec.encode(new NamespaceReply.Allocated(
                new LocatedGroup(group, policy, LocatedGroup.OPEN, List.of(), token, Optional.of(relay))));
        assertThat(relayed).hasSize(plain.length + Long.BYTES + Integer.BYTES + BlockToken.SIGNATURE_BYTES);
        int length = Long.BYTES + 1 + policy.name().length();
        for (int at = 0; at < plain.length; at++) {
            int difference = at == length + Long.BYTES - 1 ? -1 : 0;
            assertThat((int) relayed[at]).as("byte %d", at).isEqualTo(plain[at] + difference);
        }
    }

    /** What peers of level 1 get of a group in no ring does not change. */
    @Test
    void aRingIsBehindAGroupAndShowsInTheNumberOfItsLocations() throws EcfsException {
        BlockToken token = (BlockToken) new SampleRecords(1).any(BlockToken.class);
        LocatedGroup outside =
                new LocatedGroup(new GroupId(5), Policy.parse("rs-3-2-1024k"), LocatedGroup.OPEN, List.of(), token);
        byte[] plain = codec.encode(new NamespaceReply.Allocated(outside));
        Message within = new NamespaceReply.Allocated(outside.in(Optional.of(new RingId(3))));
        int moreOfTheNumber = 4;
        assertThat(codec.encode(within)).hasSize(plain.length + moreOfTheNumber + Integer.BYTES);
        assertThat(codec.decode(WireNumbers.of(NamespaceReply.Allocated.class), codec.encode(within)))
                .isEqualTo(within);
    }

    @Test
    void oneValueHasOneEncoding() {
        for (long seed = 0; seed < 50; seed++) {
            Record report = (Record) new SampleRecords(seed).any(NamespaceReply.Located.class);
            Record again = (Record) new SampleRecords(seed).any(NamespaceReply.Located.class);
            assertThat(records.encode(report)).isEqualTo(records.encode(again));
        }
    }

    @Test
    void smallIdsTravelAsScalars() throws IOException {
        Object read = new CBORMapper()
                .readValue(records.encode(new ChunkReply.Opened(new ChunkId(new GroupId(7), 2, 1))), Object.class);
        assertThat(read).isEqualTo(Map.of("chunk", Map.of("group", 7, "index", 2, "generation", 1)));
        assertThat(new CBORMapper()
                        .readValue(records.encode(new NamespaceRequest.GetStatus(new FilePath("/a/b"))), Object.class))
                .isEqualTo(Map.of("path", "/a/b"));
    }

    @Test
    void whatANewerPeerSendsMoreIsSkipped() throws Exception {
        byte[] bytes = cbor("path", "/a", "colour", List.of("blue", Map.of("deep", 1)));
        assertThat(records.decode(NamespaceRequest.GetStatus.class, bytes).path())
                .isEqualTo(new FilePath("/a"));
    }

    @Test
    void aMissingComponentIsNamed() throws Exception {
        assertMalformed(NamespaceRequest.GetStatus.class, cbor(), "path");
        assertMalformed(NamespaceRequest.GetStatus.class, cbor("path", null), "path");
        assertMalformed(NamespaceReply.Recovery.class, cbor(), "closed");
        assertMalformed(NamespaceReply.Recovery.class, cbor("closed", null), "closed");
    }

    @Test
    void aMissingOptionalIsEmpty() throws Exception {
        byte[] withNull = cbor("request", Map.of("client", "c", "sequence", 1), "path", "/a", "policy", null);
        byte[] without = cbor("request", Map.of("client", "c", "sequence", 1), "path", "/a");
        for (byte[] bytes : List.of(withNull, without)) {
            assertThat(records.decode(NamespaceRequest.SetPolicy.class, bytes).policy())
                    .isEqualTo(Optional.empty());
        }
    }

    @Test
    void textIsNoNumberAndNumberNoText() throws Exception {
        assertMalformed(ChunkReply.Opened.class, cbor("chunk", Map.of("group", "7", "index", 2, "generation", 1)), "");
        assertMalformed(
                NamespaceReply.Space.class, cbor("capacityBytes", 1.5, "usedBytes", 1, "freeBytes", 1), "capacity");
    }

    @Test
    void whatAConstructorRefusesIsMalformed() throws Exception {
        assertMalformed(NamespaceRequest.GetStatus.class, cbor("path", "relative"), "path must be absolute");
    }

    @Test
    void anErrorCodeOfANewerPeerIsReadAsInternal() throws Exception {
        byte[] bytes = cbor("code", "MOON_IS_FULL", "message", "wait", "hint", "");
        assertThat(records.decode(Failure.class, bytes)).isEqualTo(new Failure(ErrorCode.INTERNAL, "wait", ""));
    }

    @Test
    void anUnknownNumberIsUnsupported() {
        assertThatThrownBy(() -> codec.decode(60_000, Unpooled.EMPTY_BUFFER))
                .isInstanceOfSatisfying(
                        EcfsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNSUPPORTED))
                .hasMessageContaining("60000");
    }

    @Test
    void bytesAfterAHeadAreRefused() {
        ByteBuf hot = Unpooled.buffer();
        codec.encode((Message) new SampleRecords(1).any(ChunkRequest.ReadChunk.class), hot);
        hot.writeByte(0);
        assertThatThrownBy(() -> codec.decode(WireNumbers.of(ChunkRequest.ReadChunk.class), hot))
                .isInstanceOf(EcfsException.class)
                .hasMessageContaining("too many");
        ByteBuf control = Unpooled.buffer();
        codec.encode((Message) new SampleRecords(1).any(Greeting.Hello.class), control);
        control.writeByte(0);
        assertThatThrownBy(() -> codec.decode(WireNumbers.of(Greeting.Hello.class), control))
                .isInstanceOf(EcfsException.class);
    }

    private void assertMalformed(Class<?> kind, byte[] bytes, String named) {
        assertThatThrownBy(() -> records.decode(kind, bytes))
                .isInstanceOfSatisfying(
                        EcfsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.MALFORMED))
                .hasMessageContaining(named)
                .hasMessageContaining(kind.getSimpleName());
    }

    private static byte[] cbor(Object... keysAndValues) throws IOException {
        Map<Object, Object> map = new LinkedHashMap<>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            map.put(keysAndValues[i], keysAndValues[i + 1]);
        }
        return new CBORMapper().writeValueAsBytes(map);
    }
}
