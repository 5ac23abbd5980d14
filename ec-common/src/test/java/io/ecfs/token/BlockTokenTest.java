package io.ecfs.token;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.env.Clock;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.Stamp;
import io.ecfs.message.BlockToken;
import io.ecfs.message.BlockToken.Right;
import io.ecfs.message.TokenKey;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class BlockTokenTest {
    private static final GroupId GROUP = new GroupId(7);
    private static final TokenKey KEY = key(3, 2_000);

    private long now = 1_000;
    private final BlockTokenVerifier verifier = new BlockTokenVerifier(new Clock() {
        @Override
        public long nanos() {
            return now * 1_000_000;
        }

        @Override
        public long epochMillis() {
            return now;
        }
    });

    @BeforeEach
    void verifierKnowsTheKey() {
        verifier.keys(List.of(key(2, 1_500), KEY));
    }

    private static TokenKey key(int id, long expires) {
        byte[] secret = new byte[TokenKey.SECRET_BYTES];
        Arrays.fill(secret, (byte) id);
        return new TokenKey(id, secret, expires);
    }

    @Test
    void aTokenOpensItsGroupForItsRight() {
        assertThatCode(() -> verifier.require(
                        BlockTokens.sign(KEY, GROUP, Stamp.NONE, Right.READ, 1_900), GROUP, Right.READ))
                .doesNotThrowAnyException();
        assertThatCode(() -> verifier.require(
                        BlockTokens.sign(KEY, GROUP, Stamp.NONE, Right.WRITE, 1_900), GROUP, Right.READ))
                .doesNotThrowAnyException();
        assertThatThrownBy(() -> verifier.require(
                        BlockTokens.sign(KEY, GROUP, Stamp.NONE, Right.READ, 1_900), GROUP, Right.WRITE))
                .hasMessageContaining("reading only");
        assertThatThrownBy(() -> verifier.require(
                        BlockTokens.sign(KEY, GROUP, Stamp.NONE, Right.READ, 1_900), new GroupId(8), Right.READ))
                .hasMessageContaining("it is for g7");
    }

    @Test
    void changingAnyFieldOrAnyBitOfTheSignatureIsNoticed() {
        BlockToken token = BlockTokens.sign(KEY, GROUP, Stamp.NONE, Right.READ, 1_900);
        List<BlockToken> forged = List.of(
                new BlockToken(
                        new GroupId(8),
                        Stamp.NONE,
                        token.right(),
                        token.expiresAtMillis(),
                        token.keyId(),
                        token.signature()),
                new BlockToken(
                        GROUP, Stamp.NONE, Right.WRITE, token.expiresAtMillis(), token.keyId(), token.signature()),
                new BlockToken(GROUP, Stamp.NONE, token.right(), 1_950, token.keyId(), token.signature()),
                new BlockToken(GROUP, Stamp.NONE, token.right(), token.expiresAtMillis(), 2, token.signature()));
        for (BlockToken f : forged) {
            assertThatThrownBy(() -> verifier.require(f, f.group(), Right.READ))
                    .hasMessageContaining("signature is wrong");
        }
        for (int bit = 0; bit < 8 * BlockToken.SIGNATURE_BYTES; bit++) {
            byte[] signature = token.signature().clone();
            signature[bit / 8] ^= (byte) (1 << bit % 8);
            BlockToken f =
                    new BlockToken(GROUP, Stamp.NONE, Right.READ, token.expiresAtMillis(), token.keyId(), signature);
            assertThatThrownBy(() -> verifier.require(f, GROUP, Right.READ)).hasMessageContaining("signature is wrong");
        }
    }

    @Test
    void aTokenEndsWithItsTimeOrItsKey() {
        now = 1_900;
        assertThatThrownBy(() -> verifier.require(
                        BlockTokens.sign(KEY, GROUP, Stamp.NONE, Right.READ, 1_900), GROUP, Right.READ))
                .hasMessageContaining("expired");
        now = 2_000;
        assertThatThrownBy(() -> verifier.require(
                        BlockTokens.sign(KEY, GROUP, Stamp.NONE, Right.READ, 9_000), GROUP, Right.READ))
                .hasMessageContaining("expired");
        assertThatThrownBy(() -> verifier.require(
                        BlockTokens.sign(key(9, 9_000), GROUP, Stamp.NONE, Right.READ, 9_000), GROUP, Right.READ))
                .hasMessageContaining("key 9 is not known");
    }

    @Test
    void aNamenodeWithoutKeysTakesNoneAway() {
        verifier.keys(List.of());
        assertThatCode(() -> verifier.require(
                        BlockTokens.sign(KEY, GROUP, Stamp.NONE, Right.READ, 1_900), GROUP, Right.READ))
                .doesNotThrowAnyException();
        assertThat(BlockTokens.sign(KEY, GROUP, Stamp.NONE, Right.READ, 1).toString())
                .doesNotContain(Arrays.toString(new byte[1]));
    }
}
