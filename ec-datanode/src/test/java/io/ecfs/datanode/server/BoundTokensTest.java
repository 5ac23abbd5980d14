package io.ecfs.datanode.server;

import static io.ecfs.datanode.store.Chunks.CELL;
import static io.ecfs.datanode.store.Chunks.POLICY;
import static io.ecfs.datanode.store.Chunks.id;
import static io.ecfs.datanode.store.Chunks.payload;
import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.buffer.BufferPool;
import io.ecfs.datanode.store.Chunks;
import io.ecfs.datanode.store.DatanodeHome;
import io.ecfs.datanode.store.Volume;
import io.ecfs.datanode.store.memory.MemoryVolumeIo;
import io.ecfs.datanode.store.queue.VolumeQueue;
import io.ecfs.env.ManualTime;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.Stamp;
import io.ecfs.message.Address;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.FeatureLevel;
import io.ecfs.message.VolumeId;
import io.ecfs.message.chunk.BlockToken;
import io.ecfs.message.chunk.BlockToken.Right;
import io.ecfs.message.chunk.BlockToken.Scope;
import io.ecfs.message.chunk.ChunkReply;
import io.ecfs.message.chunk.ChunkRequest;
import io.ecfs.message.chunk.RelayTarget;
import io.ecfs.message.chunk.RelayToken;
import io.ecfs.message.chunk.SentBefore;
import io.ecfs.message.chunk.TailForm;
import io.ecfs.message.chunk.TailRecord;
import io.ecfs.message.datanode.TokenKey;
import io.ecfs.token.BlockTokenVerifier;
import io.ecfs.token.BlockTokens;
import io.ecfs.token.TokenSigner;
import io.ecfs.wire.Envelope;
import io.ecfs.wire.PeerIdentity;
import io.ecfs.wire.Session;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What a datanode lets the holder of a block token of version 2 do. */
class BoundTokensTest {
    private static final VolumeId VOLUME = new VolumeId(1);
    private static final ChunkId CHUNK = id(17, 3);
    private static final long EXPIRES =
            ManualTime.EPOCH_AT_START + Duration.ofHours(1).toMillis();
    private static final TokenKey KEY = new TokenKey(1, new byte[TokenKey.SECRET_BYTES], Long.MAX_VALUE);
    private static final BlockToken OLD = BlockTokens.sign(KEY, CHUNK.group(), Stamp.NONE, Right.WRITE, Long.MAX_VALUE);

    private final ManualTime time = new ManualTime(7);
    private final BlockTokenVerifier tokens = new BlockTokenVerifier(time, () -> "c1");
    private final Session ann = session("ann", new PeerIdentity.User("ann"));
    private ChunkService service;

    @BeforeEach
    void build() throws IOException {
        DatanodeHome home = DatanodeHome.open(
                new MemoryVolumeIo("home", 1 << 20, new Random(3)), new DatanodeId("dn1"), time.randomness()::uuid);
        Volume volume = Volume.open(
                new MemoryVolumeIo("disk", 1 << 20, new Random(1)),
                home.identity(),
                Chunks.terms(0),
                time.randomness()::uuid);
        Volumes volumes = new Volumes(
                List.of(new ServedVolume(volume, new VolumeQueue(time.workers("volume", 1, 100), 1, 6, time))));
        volumes.number(Map.of(volume.uuid(), VOLUME));
        tokens.keys(List.of(KEY));
        tokens.levelInForce(FeatureLevel.NONE, FeatureLevel.BOUND_TOKENS);
        service = new ChunkService(
                volumes,
                tokens,
                new BufferPool("reads", 64 << 10, true),
                32 << 10,
                true,
                change -> {},
                time,
                Optional.empty());
    }

    private static Session session(String user, PeerIdentity identity) {
        return new Session(
                new Address("client", 1), user, List.of(), "client", "", false, FeatureLevel.RELEASE, identity);
    }

    private static BlockToken token(Right right, Scope scope) {
        return BlockTokens.sign(KEY, CHUNK.group(), Stamp.NONE, right, scope, EXPIRES);
    }

    private static BlockToken token(Right right) {
        return token(right, Scope.ofGroup("c1", 0, "ann"));
    }

    private CompletableFuture<Envelope> send(Session session, Request request, Optional<BlockToken> token) {
        ChunkRequest message = request.with.apply(token);
        int bytes = message instanceof ChunkRequest.WriteCells || message instanceof ChunkRequest.PutChunk ? CELL : 0;
        ByteBuf payload = message instanceof ChunkRequest.WriteTail
                ? payload(CHUNK, 0, 100)
                : bytes > 0 ? payload(CHUNK, 0, bytes) : Unpooled.buffer(1);
        CompletableFuture<Envelope> answer = service.handle(session, new Envelope(message, payload));
        time.advance(Duration.ofMillis(10));
        assertThat(answer).as("%s", message).isDone();
        assertThat(payload.refCnt()).isZero();
        return answer;
    }

    private void passes(Session session, Request request, BlockToken token) {
        CompletableFuture<Envelope> answer = send(session, request, Optional.of(token));
        assertThat(answer).as("%s", request).isCompleted();
        answer.join().release();
    }

    private void refused(Session session, Request request, Optional<BlockToken> token, String reason) {
        CompletableFuture<Envelope> answer = send(session, request, token);
        assertThat(answer).as("%s with %s", request, token).isCompletedExceptionally();
        EcfsException failure =
                EcfsException.of(answer.handle((none, why) -> why).join());
        assertThat(failure.code()).isEqualTo(ErrorCode.TOKEN_REFUSED);
        assertThat(failure.getMessage()).contains(reason).doesNotContain("\n");
    }

    /** Each message about a chunk, with what it needs. */
    @SuppressWarnings("ImmutableEnumChecker") // what makes the messages has no state
    private enum Request {
        OPEN(Right.WRITE, t -> new ChunkRequest.OpenChunk(CHUNK, VOLUME, POLICY, 5, t.orElse(OLD))),
        WRITE(Right.WRITE, t -> new ChunkRequest.WriteCells(CHUNK, 5, 0, CELL, 0, t)),
        TAIL(
                Right.WRITE,
                t -> new ChunkRequest.WriteTail(
                        CHUNK,
                        5,
                        new TailRecord(0, 3L * CELL, 100, TailForm.MIRRORED),
                        0,
                        false,
                        new SentBefore(CELL, -1),
                        t)),
        SYNC(Right.WRITE, t -> new ChunkRequest.SyncChunk(CHUNK, 5, new SentBefore(CELL, 0), t)),
        CHECK(Right.WRITE, t -> new ChunkRequest.CheckChunk(CHUNK, 5, new SentBefore(CELL, 0), t)),
        PROBE_TAIL(Right.READ, t -> new ChunkRequest.ProbeTail(CHUNK, VOLUME, t.orElse(OLD))),
        READ_TAIL(Right.READ, t -> new ChunkRequest.ReadTail(CHUNK, VOLUME, 3L * CELL, 100, t.orElse(OLD))),
        FINISH(Right.WRITE, t -> new ChunkRequest.FinishChunk(CHUNK, 5, CELL, 3L * CELL, true, t)),
        PROBE(Right.READ, t -> new ChunkRequest.ProbeChunk(CHUNK, VOLUME, t.orElse(OLD))),
        READ(Right.READ, t -> new ChunkRequest.ReadChunk(CHUNK, VOLUME, 0, CELL, t.orElse(OLD))),
        CHECKSUMS(Right.READ, t -> new ChunkRequest.ReadChecksums(CHUNK, VOLUME, 0, CELL, t.orElse(OLD))),
        FIND(Right.READ, t -> new ChunkRequest.FindLocally(CHUNK, VOLUME, t.orElse(OLD))),
        ABORT(Right.WRITE, t -> new ChunkRequest.AbortChunk(id(17, 3), 5, t)),
        PUT(
                Right.WRITE,
                t -> new ChunkRequest.PutChunk(CHUNK, VOLUME, POLICY, 5, CELL, 3L * CELL, false, t.orElse(OLD)));

        private final Right right;
        private final Function<Optional<BlockToken>, ChunkRequest> with;

        Request(Right right, Function<Optional<BlockToken>, ChunkRequest> with) {
            this.right = right;
            this.with = with;
        }
    }

    @Test
    void itsUserWritesAndReadsAChunkWithIt() {
        for (Request request : Request.values()) {
            if (request != Request.ABORT && request != Request.PUT && request != Request.FIND) {
                passes(ann, request, token(request.right));
            }
        }
    }

    @Test
    void itsUserPutsAndDropsAChunkWithIt() {
        passes(ann, Request.OPEN, token(Right.WRITE));
        passes(ann, Request.ABORT, token(Right.WRITE));
        passes(ann, Request.PUT, token(Right.WRITE));
    }

    private record Wrong(String reason, Session session, Optional<Scope> scope) {}

    private static Stream<Wrong> wrong() {
        Session ann = session("ann", new PeerIdentity.User("ann"));
        return Stream.of(
                new Wrong(
                        "it was given to another than the connection's user",
                        session("bob", new PeerIdentity.User("bob")),
                        Optional.of(Scope.ofGroup("c1", 0, "ann"))),
                new Wrong(
                        "it was given to another than the connection's user",
                        session("datanode dn1", new PeerIdentity.Datanode(new DatanodeId("dn1"))),
                        Optional.of(Scope.ofGroup("c1", 0, "ann"))),
                new Wrong(
                        "it was given to another than the connection's user",
                        session("datanode dn1", new PeerIdentity.User("datanode dn1")),
                        Optional.of(Scope.ofGroup("c1", 0, "datanode dn1"))),
                new Wrong("it is of another cluster", ann, Optional.of(Scope.ofGroup("c2", 0, "ann"))),
                new Wrong("it is for chunk 2", ann, Optional.of(new Scope("c1", 2, 0, 0, Long.MAX_VALUE, "ann"))),
                new Wrong("it is for chunks of generation 1", ann, Optional.of(Scope.ofGroup("c1", 1, "ann"))),
                new Wrong("", ann, Optional.empty()));
    }

    /** Also where the chunk is open: a token that another message showed is worth nothing to this one. */
    @ParameterizedTest
    @MethodSource("wrong")
    void everyMessageIsRefusedWithATokenForSomethingElse(Wrong wrong) {
        passes(ann, Request.OPEN, token(Right.WRITE));
        passes(ann, Request.WRITE, token(Right.WRITE));
        for (Request request : refusedTo(wrong.session)) {
            refused(wrong.session, request, wrong.scope.map(scope -> token(request.right, scope)), wrong.reason);
        }
        passes(ann, Request.FINISH, token(Right.WRITE));
        for (Request request : refusedTo(wrong.session)) {
            refused(wrong.session, request, wrong.scope.map(scope -> token(request.right, scope)), wrong.reason);
        }
    }

    /** All but what a datanode may send for the client that it relays for. */
    private static List<Request> refusedTo(Session session) {
        boolean relays = session.identity() instanceof PeerIdentity.Datanode;
        return Stream.of(Request.values())
                .filter(request -> !relays || request != Request.WRITE)
                .toList();
    }

    @Test
    void aDatanodeWritesCellsWithTheTokenOfItsClient() {
        Session relay = session("datanode dn1", new PeerIdentity.Datanode(new DatanodeId("dn1")));
        passes(ann, Request.OPEN, token(Right.WRITE));
        passes(relay, Request.WRITE, token(Right.WRITE));
        refused(relay, Request.WRITE, Optional.of(token(Right.READ)), "it allows reading only");
        refused(
                relay,
                Request.WRITE,
                Optional.of(token(Right.WRITE, Scope.ofGroup("c2", 0, "ann"))),
                "another cluster");
    }

    /** This datanode does not relay, which it says to callers with valid tokens only. */
    @Test
    void aRelayBeginsOnlyWithTheTargetsThatTheNamenodeSigned() {
        List<RelayTarget> signed = List.of(new RelayTarget(CHUNK, new Address("dn1", 1)));
        List<RelayTarget> other = List.of(new RelayTarget(CHUNK, new Address("elsewhere", 22)));
        RelayToken relay =
                new TokenSigner(KEY).signRelay("c1", CHUNK.group(), Stamp.NONE, "ann", POLICY, signed, EXPIRES);
        RelayToken ofAnotherStamp =
                new TokenSigner(KEY).signRelay("c1", CHUNK.group(), 77, "ann", POLICY, signed, EXPIRES);
        assertThat(begin(ann, signed, relay)).isEqualTo(ErrorCode.UNSUPPORTED);
        assertThat(begin(ann, other, relay)).isEqualTo(ErrorCode.TOKEN_REFUSED);
        assertThat(begin(ann, signed, ofAnotherStamp)).isEqualTo(ErrorCode.TOKEN_REFUSED);
        Session bob = session("bob", new PeerIdentity.User("bob"));
        assertThat(begin(bob, signed, relay)).isEqualTo(ErrorCode.TOKEN_REFUSED);
    }

    private ErrorCode begin(Session session, List<RelayTarget> targets, RelayToken relay) {
        ChunkRequest.BeginRelay begin =
                new ChunkRequest.BeginRelay(CHUNK, POLICY, 5, targets, relay, token(Right.WRITE));
        CompletableFuture<Envelope> answer = service.handle(session, Envelope.of(begin));
        return EcfsException.of(answer.handle((none, why) -> why).join()).code();
    }

    @ParameterizedTest
    @EnumSource(Request.class)
    void aTokenToReadWritesNothing(Request request) {
        if (request.right == Right.WRITE) {
            refused(ann, request, Optional.of(token(Right.READ)), "it allows reading only");
        }
    }

    @ParameterizedTest
    @EnumSource(Request.class)
    void noMessagePassesWithAnExpiredToken(Request request) {
        time.advance(Duration.ofHours(1));
        refused(ann, request, Optional.of(token(request.right)), "it expired");
    }

    @Test
    void aDatanodeReadsWithItsOwn() {
        passes(ann, Request.PUT, token(Right.WRITE));
        Session datanode = session("datanode dn2", new PeerIdentity.Datanode(new DatanodeId("dn2")));
        BlockToken own = token(Right.READ, Scope.ofGroup("c1", Scope.ANY, "datanode dn2"));
        passes(datanode, Request.READ, own);
        passes(datanode, Request.CHECKSUMS, own);
        refused(ann, Request.READ, Optional.of(own), "another than");
    }

    @Test
    void bytesOutsideOfItsRangeAreNotRead() {
        passes(ann, Request.PUT, token(Right.WRITE));
        BlockToken half = token(Right.READ, new Scope("c1", 3, 0, 0, CELL / 2, "ann"));
        refused(ann, Request.READ, Optional.of(half), "it is for bytes [0, " + CELL / 2 + ")");
        refused(ann, Request.CHECKSUMS, Optional.of(half), "it is for bytes");
        refused(ann, Request.FIND, Optional.of(half), "it is for bytes");
        CompletableFuture<Envelope> first =
                service.handle(ann, Envelope.of(new ChunkRequest.ReadChunk(CHUNK, VOLUME, 0, CELL / 2, half)));
        time.advance(Duration.ofMillis(10));
        assertThat(first.join().head()).isEqualTo(new ChunkReply.Data(CHUNK, 0, CELL / 2));
        first.join().release();
    }
}
