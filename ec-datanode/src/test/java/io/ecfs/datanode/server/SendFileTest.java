package io.ecfs.datanode.server;

import static io.ecfs.datanode.store.Chunks.CELL;
import static io.ecfs.datanode.store.Chunks.POLICY;
import static io.ecfs.datanode.store.Chunks.finalised;
import static io.ecfs.datanode.store.Chunks.id;
import static io.ecfs.datanode.store.Chunks.payload;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.buffer.BufferPool;
import io.ecfs.buffer.FileSlice;
import io.ecfs.datanode.store.Chunks;
import io.ecfs.datanode.store.DatanodeHome;
import io.ecfs.datanode.store.Volume;
import io.ecfs.datanode.store.disk.DirectoryVolumeIo;
import io.ecfs.datanode.store.memory.MemoryVolumeIo;
import io.ecfs.datanode.store.queue.VolumeQueue;
import io.ecfs.env.ManualTime;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.Stamp;
import io.ecfs.message.Address;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.VolumeId;
import io.ecfs.message.chunk.BlockToken;
import io.ecfs.message.chunk.BlockToken.Right;
import io.ecfs.message.chunk.ChunkChange;
import io.ecfs.message.chunk.ChunkReply;
import io.ecfs.message.chunk.ChunkRequest;
import io.ecfs.message.chunk.ChunkState;
import io.ecfs.message.datanode.TokenKey;
import io.ecfs.token.BlockTokenVerifier;
import io.ecfs.token.BlockTokens;
import io.ecfs.wire.Envelope;
import io.ecfs.wire.Session;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Large reads of published chunks go from the file to the socket. */
class SendFileTest {
    private static final VolumeId V1 = new VolumeId(1);
    private static final ChunkId CHUNK = id(17, 3);
    private static final int BYTES = 10 * CELL + 100;
    private static final TokenKey KEY =
            new TokenKey(1, new byte[TokenKey.SECRET_BYTES], ManualTime.EPOCH_AT_START + 1_000_000);
    private static final BlockToken READ =
            BlockTokens.sign(KEY, CHUNK.group(), Stamp.NONE, Right.READ, ManualTime.EPOCH_AT_START + 500_000);

    @TempDir
    Path directory;

    private final ManualTime time = new ManualTime(7);
    private final BufferPool pool = new BufferPool("reads", 1 << 20, true);
    private final List<ChunkChange> changes = new ArrayList<>();
    private Volume volume;
    private ChunkService service;

    @BeforeEach
    void build() throws IOException {
        DatanodeHome home = DatanodeHome.open(
                new MemoryVolumeIo("home", 1 << 20, new Random(3)), new DatanodeId("dn1"), time.randomness()::uuid);
        volume = Volume.open(
                new DirectoryVolumeIo(directory, 1), home.identity(), Chunks.terms(0), time.randomness()::uuid);
        ServedVolume served = new ServedVolume(volume, new VolumeQueue(time.workers("volume", 1, 100), 1, 100, time));
        Volumes volumes = new Volumes(List.of(served));
        volumes.number(Map.of(volume.uuid(), V1));
        BlockTokenVerifier tokens = new BlockTokenVerifier(time, () -> "c1");
        tokens.keys(List.of(KEY));
        service = new ChunkService(volumes, tokens, pool, 1 << 20, true, changes::add, time, Optional.empty());
    }

    @AfterEach
    void everyBufferIsBack() {
        assertThat(pool.loans()).isZero();
        volume.close();
    }

    private CompletableFuture<Envelope> read(boolean takesFiles, long offset, int bytes) {
        Session session = new Session(new Address("client", 1), "ann", List.of(), "client", "", takesFiles);
        CompletableFuture<Envelope> answer = service.handle(
                session,
                new Envelope(new ChunkRequest.ReadChunk(CHUNK, V1, offset, bytes, READ), Unpooled.EMPTY_BUFFER));
        time.advance(Duration.ofSeconds(1));
        return answer;
    }

    /** What the wire makes of an answer. */
    private static ByteBuf sent(Envelope answer) throws IOException {
        ByteBuf all = Unpooled.buffer().writeBytes(answer.payload());
        if (answer.file().isPresent()) {
            FileSlice from = answer.file().get();
            ByteBuffer bytes = ByteBuffer.allocate(from.bytes());
            from.file().read(bytes, from.offset());
            all.writeBytes(bytes.flip());
        }
        return all;
    }

    @Test
    void whatIsSentFromTheFileIsWhatIsRead() throws IOException {
        finalised(volume, CHUNK, BYTES);
        for (int offset : new int[] {0, 5000, 2 * CELL}) {
            int bytes = BYTES - offset;
            int from = offset / 4096 * 4096;
            Envelope lent = read(true, offset, bytes).join();
            assertThat(lent.head()).isEqualTo(new ChunkReply.Data(CHUNK, from, BYTES - from));
            assertThat(lent.file().map(FileSlice::bytes)).hasValue(BYTES - from);
            assertThat(sent(lent)).isEqualTo(payload(CHUNK, from, BYTES - from));
            lent.release();
            Envelope read = read(false, offset, bytes).join();
            assertThat(read.file()).isEmpty();
            assertThat(sent(read)).isEqualTo(payload(CHUNK, from, BYTES - from));
            read.release();
        }
    }

    @Test
    void littleAndWhatIsStillWrittenIsRead() throws IOException {
        volume.create(CHUNK, Stamp.NONE, POLICY, 1);
        for (int cell = 0; cell < 10; cell++) {
            volume.append(CHUNK, 1, (long) cell * CELL, CELL, 0, payload(CHUNK, (long) cell * CELL, CELL));
        }
        Envelope unpublished = read(true, 0, 10 * CELL).join();
        assertThat(unpublished.file()).isEmpty();
        assertThat(sent(unpublished)).isEqualTo(payload(CHUNK, 0, 10 * CELL));
        unpublished.release();
        volume.finish(CHUNK, 1, 10L * CELL, 30L * CELL, false);
        Envelope little = read(true, 0, 4096).join();
        assertThat(little.file()).isEmpty();
        assertThat(sent(little)).isEqualTo(payload(CHUNK, 0, 4096));
        little.release();
    }

    @Test
    void bytesThatAreLentOutliveTheirName() throws IOException {
        finalised(volume, CHUNK, BYTES);
        Envelope lent = read(true, 0, BYTES).join();
        volume.delete(CHUNK, Stamp.NONE);
        finalised(volume, id(18, 0), BYTES); // of the one file that may stay open
        assertThat(sent(lent)).isEqualTo(payload(CHUNK, 0, BYTES));
        FileChannel file = lent.file().orElseThrow().file();
        assertThat(file.isOpen()).isTrue();
        lent.release();
        assertThat(file.isOpen()).isFalse();
    }

    @Test
    void aFileThatEndsTooSoonIsNotLentAndTheChunkIsCorrupt() throws IOException {
        finalised(volume, CHUNK, BYTES);
        try (FileChannel file =
                FileChannel.open(Path.of(volume.dataFile(CHUNK).orElseThrow()), StandardOpenOption.WRITE)) {
            file.truncate(BYTES - 1);
        }
        CompletableFuture<Envelope> read = read(true, 0, BYTES);
        assertThatThrownBy(read::join).hasMessageContaining("shorter on disk than its " + BYTES + " bytes");
        assertThat(changes)
                .hasSize(1)
                .allMatch(change -> ((ChunkChange.Present) change).record().state() == ChunkState.CORRUPT);
    }
}
