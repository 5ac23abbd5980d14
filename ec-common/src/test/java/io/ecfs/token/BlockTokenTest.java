package io.ecfs.token;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.env.Clock;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.Policy;
import io.ecfs.layout.Stamp;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.FeatureLevel;
import io.ecfs.message.chunk.BlockToken;
import io.ecfs.message.chunk.BlockToken.Right;
import io.ecfs.message.chunk.BlockToken.Scope;
import io.ecfs.message.datanode.TokenKey;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class BlockTokenTest {
    private static final long HOUR = 3_600_000;
    private static final GroupId GROUP = new GroupId(7);
    private static final ChunkId CHUNK = new ChunkId(GROUP, 2, 1);
    private static final TokenKey KEY = key(3, 20 * HOUR);
    private static final Scope SCOPE = new Scope("c1", 2, 1, 4096, 8192, "ann");
    private static final TokenUse USE = new TokenUse(CHUNK, Right.READ, 4096, 8192, "ann");

    private long now = 1_000;
    private final BlockTokenVerifier verifier = new BlockTokenVerifier(
            new Clock() {
                @Override
                public long nanos() {
                    return now * 1_000_000;
                }

                @Override
                public long epochMillis() {
                    return now;
                }
            },
            () -> "c1");

    @BeforeEach
    void verifierKnowsTheKey() {
        verifier.keys(List.of(key(2, HOUR), KEY));
    }

    private static TokenKey key(int id, long expires) {
        byte[] secret = new byte[TokenKey.SECRET_BYTES];
        Arrays.fill(secret, (byte) id);
        return new TokenKey(id, secret, expires);
    }

    private static BlockToken old(Right right, long expires) {
        return BlockTokens.sign(KEY, GROUP, Stamp.NONE, right, expires);
    }

    private static BlockToken bound(Right right, Scope scope) {
        return BlockTokens.sign(KEY, GROUP, Stamp.NONE, right, scope, 10 * HOUR);
    }

    private static TokenUse all(GroupId group, Right right) {
        return TokenUse.whole(new ChunkId(group, 2, 1), right, "ann");
    }

    private void assertPasses(BlockToken token, TokenUse use) {
        assertThatCode(() -> verifier.require(token, use)).doesNotThrowAnyException();
    }

    private void assertRefused(BlockToken token, TokenUse use, String reason) {
        assertThatThrownBy(() -> verifier.require(token, use)).isInstanceOfSatisfying(EcfsException.class, e -> {
            assertThat(e.code()).isEqualTo(ErrorCode.TOKEN_REFUSED);
            assertThat(e.getMessage()).contains(reason).doesNotContain("\n");
        });
    }

    @Test
    void anOldTokenOpensItsGroupForItsRight() {
        assertPasses(old(Right.READ, 1_900), all(GROUP, Right.READ));
        assertPasses(old(Right.WRITE, 1_900), all(GROUP, Right.READ));
        assertRefused(old(Right.READ, 1_900), all(GROUP, Right.WRITE), "reading only");
        assertRefused(old(Right.READ, 1_900), all(new GroupId(8), Right.READ), "it is for g7");
    }

    /** Every bit of what travels: what can still be read as a token is refused, whatever it would have opened. */
    @Test
    void changingAnyBitOfATokenIsNoticed() {
        for (BlockToken token : List.of(old(Right.READ, 1_900), bound(Right.READ, SCOPE))) {
            byte[] bytes = TokenForm.bytes(token);
            for (int bit = 0; bit < 8 * bytes.length; bit++) {
                byte[] forged = bytes.clone();
                forged[bit / 8] ^= (byte) (1 << bit % 8);
                Optional<BlockToken> read = read(forged);
                if (read.isEmpty()) {
                    continue;
                }
                TokenUse asked = whatItOpens(read.get());
                assertThatThrownBy(() -> verifier.require(read.get(), asked))
                        .as("bit %d of %s", bit, token)
                        .hasMessageMatching(".*(signature is wrong|is not known here).*");
            }
        }
    }

    /** Empty for what is no token at all. */
    private static Optional<BlockToken> read(byte[] bytes) {
        try {
            return Optional.of(TokenForm.read(ByteBuffer.wrap(bytes)));
        } catch (IllegalArgumentException | BufferUnderflowException unreadable) {
            return Optional.empty();
        }
    }

    private static TokenUse whatItOpens(BlockToken token) {
        if (token.scope().isEmpty()) {
            return TokenUse.whole(new ChunkId(token.group(), 2, 1), token.right(), "ann");
        }
        Scope scope = token.scope().get();
        ChunkId chunk = new ChunkId(
                token.group(),
                scope.index() < Policy.MAX_CHUNKS ? Math.max(0, scope.index()) : 2,
                Math.max(0, scope.generation()));
        return new TokenUse(chunk, token.right(), scope.fromByte(), scope.toByte(), scope.principal());
    }

    @Test
    void aTokenOfVersionTwoIsNoneOfVersionOneWithTheSameSignature() {
        BlockToken token = bound(Right.READ, SCOPE);
        BlockToken stripped = new BlockToken(
                token.group(), token.stamp(), token.right(), token.expiresAtMillis(), token.keyId(), token.signature());
        assertRefused(stripped, USE, "signature is wrong");
    }

    @Test
    void aTokenOpensOneChunkOneRangeAndOneRight() {
        assertPasses(bound(Right.READ, SCOPE), USE);
        assertRefused(
                bound(Right.READ, SCOPE),
                new TokenUse(new ChunkId(GROUP, 3, 1), Right.READ, 4096, 8192, "ann"),
                "it is for chunk 2 of generation 1 of the group");
        assertRefused(
                bound(Right.READ, SCOPE),
                new TokenUse(new ChunkId(GROUP, 2, 0), Right.READ, 4096, 8192, "ann"),
                "it is for chunk 2 of generation 1 of the group");
        assertRefused(
                bound(Right.READ, SCOPE),
                new TokenUse(new ChunkId(new GroupId(8), 2, 1), Right.READ, 4096, 8192, "ann"),
                "it is for g7");
        assertRefused(
                bound(Right.READ, SCOPE), new TokenUse(CHUNK, Right.READ, 4095, 8192, "ann"), "bytes [4096, 8192)");
        assertRefused(
                bound(Right.READ, SCOPE), new TokenUse(CHUNK, Right.READ, 4096, 8193, "ann"), "bytes [4096, 8192)");
        assertRefused(bound(Right.READ, SCOPE), TokenUse.whole(CHUNK, Right.READ, "ann"), "bytes [4096, 8192)");
        assertRefused(
                bound(Right.READ, SCOPE),
                TokenUse.bytes(CHUNK, Right.READ, Long.MAX_VALUE - 4095, 4097, "ann"),
                "bytes [4096, 8192)");
        assertPasses(bound(Right.READ, SCOPE), TokenUse.bytes(CHUNK, Right.READ, 4096, 4096, "ann"));
        assertPasses(bound(Right.READ, SCOPE), TokenUse.noBytes(CHUNK, Right.READ, "ann"));
        assertRefused(bound(Right.READ, SCOPE), new TokenUse(CHUNK, Right.WRITE, 4096, 8192, "ann"), "reading only");
        assertPasses(bound(Right.WRITE, SCOPE), USE);
    }

    @Test
    void aTokenForAnyIndexIsOfOneGenerationAllTheSame() {
        BlockToken token = bound(Right.WRITE, Scope.ofGroup("c1", 0, "ann"));
        for (int index = 0; index < 14; index++) {
            assertPasses(token, TokenUse.whole(new ChunkId(GROUP, index, 0), Right.WRITE, "ann"));
            assertRefused(
                    token,
                    TokenUse.whole(new ChunkId(GROUP, index, 1), Right.WRITE, "ann"),
                    "it is for chunks of generation 0 of the group");
        }
        assertPasses(bound(Right.READ, Scope.ofGroup("c1", Scope.ANY, "ann")), USE);
    }

    @Test
    void aTokenIsOfOneClusterAndOneUser() {
        assertRefused(bound(Right.READ, new Scope("c2", 2, 1, 0, 9000, "ann")), USE, "it is of another cluster");
        assertRefused(
                bound(Right.READ, SCOPE),
                new TokenUse(CHUNK, Right.READ, 4096, 8192, "bob"),
                "given to another than the connection's user");
        BlockToken ofDatanode =
                bound(Right.READ, Scope.ofGroup("c1", Scope.ANY, Scope.principalOf(new DatanodeId("dn1"))));
        assertPasses(ofDatanode, TokenUse.whole(CHUNK, Right.READ, "datanode dn1"));
        assertRefused(ofDatanode, TokenUse.whole(CHUNK, Right.READ, "datanode dn2"), "another than");
    }

    @Test
    void aTokenEndsWithItsTimeOrItsKey() {
        now = 1_900;
        assertRefused(old(Right.READ, 1_900), all(GROUP, Right.READ), "expired");
        now = 10 * HOUR;
        assertRefused(bound(Right.READ, SCOPE), USE, "expired");
        now = 20 * HOUR;
        assertRefused(old(Right.READ, 90 * HOUR), all(GROUP, Right.READ), "expired");
        assertRefused(
                BlockTokens.sign(key(9, 90 * HOUR), GROUP, Stamp.NONE, Right.READ, 90 * HOUR),
                all(GROUP, Right.READ),
                "key 9 is not known");
    }

    /** Writers that began before have an hour to renew theirs. */
    @Test
    void oldTokensAndWritesWithoutOneEndAnHourAfterTheFirstNewOne() throws EcfsException {
        verifier.levelInForce(FeatureLevel.FIRST, FeatureLevel.FIRST);
        now = 5 * HOUR;
        assertOldPass();
        verifier.require(bound(Right.READ, SCOPE), USE);
        now = 6 * HOUR - 1;
        assertOldPass();
        verifier.require(bound(Right.READ, SCOPE), USE);
        now = 6 * HOUR;
        assertOldRefused();
        assertPasses(bound(Right.READ, SCOPE), USE);
    }

    @Test
    void theNamenodesLevelEndsThemTooAtOnceWhereNothingRanBefore() {
        verifier.levelInForce(FeatureLevel.FIRST, FeatureLevel.BOUND_TOKENS);
        assertOldPass();
        verifier.levelInForce(FeatureLevel.NONE, FeatureLevel.BOUND_TOKENS);
        assertOldRefused();
    }

    @Test
    void aForgedNewTokenEndsNoOldOne() {
        BlockToken real = bound(Right.READ, SCOPE);
        BlockToken forged = new BlockToken(
                GROUP, Stamp.NONE, Right.READ, 10 * HOUR, 3, real.scope(), new byte[BlockToken.SIGNATURE_BYTES]);
        assertRefused(forged, USE, "signature is wrong");
        now += 2 * HOUR;
        assertOldPass();
    }

    private void assertOldPass() {
        assertPasses(old(Right.WRITE, 10 * HOUR), all(GROUP, Right.WRITE));
        assertThatCode(() -> verifier.requireOfWriter(Optional.empty(), all(GROUP, Right.WRITE)))
                .doesNotThrowAnyException();
    }

    private void assertOldRefused() {
        assertRefused(old(Right.WRITE, 10 * HOUR), all(GROUP, Right.WRITE), "it is of version 1");
        assertThatThrownBy(() -> verifier.requireOfWriter(Optional.empty(), all(GROUP, Right.WRITE)))
                .hasMessageContaining("every write needs one");
    }

    @Test
    void aNamenodeWithoutKeysTakesNoneAway() {
        verifier.keys(List.of());
        assertPasses(old(Right.READ, 1_900), all(GROUP, Right.READ));
        assertThat(old(Right.READ, 1).toString()).doesNotContain(Arrays.toString(new byte[1]));
    }
}
