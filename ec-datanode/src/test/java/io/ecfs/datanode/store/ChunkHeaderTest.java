package io.ecfs.datanode.store;

import static io.ecfs.datanode.store.Chunks.POLICY;
import static io.ecfs.datanode.store.Chunks.id;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupLayout;
import io.ecfs.message.chunk.ChunkState;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.UUID;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

/** The header of a chunk's checksum file: the format that the class comment draws, and which of two slots counts. */
class ChunkHeaderTest {
    private static final UUID VOLUME = new UUID(0x1122334455667788L, 0x99AABBCCDDEEFF00L);
    private static final UUID OTHER = new UUID(1, 2);
    private static final ChunkId CHUNK = new ChunkId(id(17, 3).group(), 3, 5);
    private static final ChunkHeader FULL =
            new ChunkHeader(CHUNK, ChunkState.FINALISED, 6, POLICY, 20_000, 16_384, 58_000, 77, true, 9, 0x5EED5EED);

    private static ByteBuffer slots(ChunkHeader... headers) {
        ByteBuffer slots = ByteBuffer.allocate(ChunkHeader.BYTES);
        for (ChunkHeader header : headers) {
            slots.put((int) header.slotOffset(), header.encode(VOLUME).array());
        }
        return slots;
    }

    private static void seal(ByteBuffer slot) {
        CRC32C crc = new CRC32C();
        crc.update(slot.slice(0, 252));
        slot.putInt(252, (int) crc.getValue());
    }

    private static Optional<ChunkHeader> decode(ByteBuffer slots) {
        return ChunkHeader.decode(slots, VOLUME);
    }

    @Test
    void eachFieldLiesWhereTheFormatHasIt() {
        ByteBuffer slot = FULL.encode(VOLUME);
        assertThat(slot.remaining()).isEqualTo(ChunkHeader.SLOT_BYTES);
        assertThat(slot.getInt(0)).isEqualTo(0x45434643);
        assertThat(slot.getShort(4)).isEqualTo((short) 2);
        assertThat(slot.get(6)).isEqualTo((byte) 2);
        assertThat(slot.get(7)).isEqualTo((byte) 1);
        assertThat(slot.getLong(8)).isEqualTo(6);
        assertThat(slot.getLong(16)).isEqualTo(17);
        assertThat(slot.getInt(24)).isEqualTo(3);
        assertThat(slot.getInt(28)).isEqualTo(5);
        assertThat(slot.getLong(32)).isEqualTo(20_000);
        assertThat(slot.getLong(40)).isEqualTo(16_384);
        assertThat(slot.getLong(48)).isEqualTo(58_000);
        assertThat(slot.getLong(56)).isEqualTo(77);
        assertThat(slot.getLong(64)).isEqualTo(9);
        assertThat(slot.getShort(72)).isEqualTo((short) POLICY.name().length());
        assertThat(slot.getInt(232)).isEqualTo(0x5EED5EED);
        assertThat(slot.getLong(236)).isEqualTo(VOLUME.getMostSignificantBits());
        assertThat(slot.getLong(244)).isEqualTo(VOLUME.getLeastSignificantBits());
        assertThat(decode(slot)).contains(FULL);
    }

    @Test
    void everyStateIsReadBackAsItWas() {
        ChunkHeader opened = ChunkHeader.opened(CHUNK, 4, POLICY, 7);
        ChunkHeader[] headers = {
            opened,
            opened.withTail(8192, 30_000),
            opened.withFence(3),
            opened.published(8192, 24_576),
            opened.withTail(8192, 30_000).published(9000, 30_000).reopened(),
            opened.published(8192, 24_576).judged(ChunkState.CORRUPT),
            ChunkHeader.put(CHUNK, 4, new GroupLayout(POLICY, 100), 7)
        };
        for (ChunkHeader header : headers) {
            assertThat(decode(slots(header))).contains(header);
        }
    }

    @Test
    void eachChangeGoesToTheOtherSlotAndTheNewerOneCounts() {
        ChunkHeader first = ChunkHeader.opened(CHUNK, 4, POLICY, 7);
        ChunkHeader second = first.withFence(3);
        ChunkHeader third = second.published(8192, 24_576);
        assertThat(first.slotOffset()).isZero();
        assertThat(second.slotOffset()).isEqualTo(256);
        assertThat(third.slotOffset()).isZero();
        assertThat(decode(slots(first, second))).contains(second);
        assertThat(decode(slots(third, second))).contains(third);
        ByteBuffer torn = slots(first, second);
        torn.put(256 + 100, (byte) 1);
        assertThat(decode(torn)).contains(first);
    }

    @Test
    void aSlotOfWhichOneBitChangedIsNone() {
        for (int at = 0; at < ChunkHeader.SLOT_BYTES; at++) {
            ByteBuffer slot = FULL.encode(VOLUME);
            slot.put(at, (byte) (slot.get(at) ^ 0x10));
            assertThat(decode(slot)).as("byte %s", at).isEmpty();
        }
    }

    @Test
    void halfASlotIsNone() {
        assertThat(decode(FULL.encode(VOLUME).limit(255))).isEmpty();
        assertThat(ChunkHeader.names(FULL.encode(VOLUME).limit(255), CHUNK, VOLUME))
                .isFalse();
        assertThat(decode(ByteBuffer.allocate(0))).isEmpty();
    }

    @Test
    void aHeaderOfAnotherVolumeIsInvalid() {
        assertThat(ChunkHeader.decode(FULL.encode(OTHER), VOLUME)).isEmpty();
        assertThat(ChunkHeader.decode(FULL.encode(new UUID(0, 5)), VOLUME)).isEmpty();
    }

    @Test
    void aHeaderWithoutAVolumeIsValid() {
        assertThat(ChunkHeader.decode(FULL.encode(new UUID(0, 0)), VOLUME)).contains(FULL);
    }

    @Test
    void theFirstLayoutHasNoStampAndAnUnknownOneIsNotRead() {
        for (int version = 0; version <= 3; version++) {
            ByteBuffer slot = FULL.encode(VOLUME).putShort(4, (short) version);
            seal(slot);
            Optional<Integer> stamp = decode(slot).map(ChunkHeader::stamp);
            assertThat(stamp)
                    .as("layout version %s", version)
                    .isEqualTo(
                            version == 1 ? Optional.of(0) : version == 2 ? Optional.of(0x5EED5EED) : Optional.empty());
        }
    }

    /** Its checksum fits, and still it is nobody's header. */
    @Test
    void aHeaderThatSaysWhatCannotBeIsNone() {
        for (int code : new int[] {0, 4}) {
            ByteBuffer slot = FULL.encode(VOLUME).put(6, (byte) code);
            seal(slot);
            assertThat(decode(slot)).as("state %s", code).isEmpty();
        }
        ByteBuffer open = FULL.encode(VOLUME).put(6, (byte) 1);
        seal(open);
        assertThat(decode(open)).as("being written, with a published length").isEmpty();
        ByteBuffer noGroup = FULL.encode(VOLUME).putLong(16, 0);
        seal(noGroup);
        assertThat(decode(noGroup)).isEmpty();
        ByteBuffer longName = FULL.encode(VOLUME).putShort(72, (short) 500);
        seal(longName);
        assertThat(decode(longName)).isEmpty();
    }

    @Test
    void lengthsAreNotNegativeButForNone() {
        ChunkHeader opened = ChunkHeader.opened(CHUNK, 0, POLICY, 7);
        assertThat(opened.published(0, 0).chunkBytes()).isZero();
        assertThat(opened.withTail(0, 0).fullStripeBytes()).isZero();
        assertThatThrownBy(() -> opened.published(-1, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> opened.published(-2, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> opened.published(1, -2)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> opened.withTail(-2, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(
                        () -> new ChunkHeader(CHUNK, ChunkState.BEING_WRITTEN, -1, POLICY, -1, -1, -1, 7, false, 0, 0))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void whatWasPutHasATailOnlyWhenItsGroupHas() {
        long stripe = POLICY.stripeBytes();
        assertThat(ChunkHeader.put(CHUNK, 0, new GroupLayout(POLICY, stripe), 7).fullStripeBytes())
                .isEqualTo(-1);
        assertThat(ChunkHeader.put(CHUNK, 0, new GroupLayout(POLICY, stripe + 1), 7)
                        .fullStripeBytes())
                .isEqualTo(Chunks.CELL);
    }

    @Test
    void aPublicationThatIsTakenBackKeepsTheTailThatWasBegun() {
        ChunkHeader opened = ChunkHeader.opened(CHUNK, 0, POLICY, 7);
        assertThat(opened.published(8192, 24_576).reopened().groupLength()).isEqualTo(-1);
        ChunkHeader tailed = opened.withTail(0, 500).published(192, 500);
        assertThat(tailed.reopened().groupLength()).isEqualTo(500);
        assertThat(tailed.reopened().fullStripeBytes()).isZero();
        assertThat(opened.withTail(8192, 30_000).published(8191, 24_576).fullStripeBytes())
                .as("cut off with the publication")
                .isEqualTo(8191);
    }

    @Test
    void filesAreAChunksWhenEitherSlotNamesItOnThisVolume() {
        ByteBuffer both = slots(FULL, FULL.withFence(10));
        assertThat(ChunkHeader.names(both, CHUNK, VOLUME)).isTrue();
        assertThat(ChunkHeader.names(both, new ChunkId(CHUNK.group(), 3, 6), VOLUME))
                .isFalse();
        assertThat(ChunkHeader.names(both, new ChunkId(CHUNK.group(), 2, 5), VOLUME))
                .isFalse();
        assertThat(ChunkHeader.names(both, new ChunkId(id(18, 0).group(), 3, 5), VOLUME))
                .isFalse();
        assertThat(ChunkHeader.names(both, CHUNK, OTHER)).isFalse();
        ByteBuffer secondAlone = slots(FULL.withFence(10));
        assertThat(ChunkHeader.names(secondAlone, CHUNK, VOLUME)).isTrue();
        assertThat(ChunkHeader.names(ByteBuffer.allocate(ChunkHeader.BYTES), CHUNK, VOLUME))
                .isFalse();
    }
}
