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
import io.ecfs.message.Address;
import io.ecfs.message.chunk.BlockToken;
import io.ecfs.message.chunk.RelayTarget;
import io.ecfs.message.chunk.RelayToken;
import io.ecfs.message.datanode.TokenKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RelayTokenTest {
    private static final Policy POLICY = Policy.parse("rs-3-2-64k");
    private static final long HOUR = 3_600_000;
    private static final GroupId GROUP = new GroupId(7);
    private static final int STAMP = 0x5EED;
    private static final List<RelayTarget> TARGETS =
            List.of(target(0, 0, "dn1", 9001), target(1, 0, "::1", 9002), target(3, 0, "d\u00fc.example", 65_535));

    private long now = 1_000;
    private String cluster = "c1";
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
            () -> cluster);

    @BeforeEach
    void verifierKnowsTwoKeys() {
        verifier.keys(List.of(key(2, 20 * HOUR), key(3, 20 * HOUR)));
    }

    private static TokenKey key(int id, long expires) {
        byte[] secret = new byte[TokenKey.SECRET_BYTES];
        Arrays.fill(secret, (byte) id);
        return new TokenKey(id, secret, expires);
    }

    private static RelayTarget target(int index, int generation, String host, int port) {
        return new RelayTarget(new ChunkId(GROUP, index, generation), new Address(host, port));
    }

    private static RelayToken signed(TokenKey key, long expires) {
        return new TokenSigner(key).signRelay("c1", GROUP, STAMP, "ann", POLICY, TARGETS, expires);
    }

    private static RelayToken signed() {
        return signed(key(3, 20 * HOUR), 10 * HOUR);
    }

    private void assertRefused(RelayToken token, List<RelayTarget> targets, String principal, String reason) {
        assertThatThrownBy(() -> verifier.requireRelay(token, POLICY, targets, principal))
                .isInstanceOfSatisfying(EcfsException.class, e -> {
                    assertThat(e.code()).isEqualTo(ErrorCode.TOKEN_REFUSED);
                    assertThat(e.getMessage())
                            .contains(token.group().toString(), reason)
                            .doesNotContain("\n");
                });
    }

    private void assertRefused(RelayToken token, String reason) {
        assertRefused(token, TARGETS, "ann", reason);
    }

    /** Made by another implementation: a daemon of another release must sign and accept just this. */
    @Test
    void theSignatureHasTheseBytes() {
        assertThat(HexFormat.of().formatHex(signed().signature()))
                .isEqualTo("ca56546153db0d47c3ffc0306b31c65b9f239dbb58982d44221cb9059dc64e8d");
        assertThatCode(() -> verifier.requireRelay(signed(), POLICY, TARGETS, "ann"))
                .doesNotThrowAnyException();
    }

    @Test
    void everyOtherFieldOfTheTokenIsNoticed() {
        RelayToken token = signed();
        byte[] signature = token.signature();
        String reason = "was not signed for these 3 chunks";
        assertRefused(new RelayToken(new GroupId(8), STAMP, 10 * HOUR, 3, signature), TARGETS, "ann", reason);
        assertRefused(new RelayToken(GROUP, STAMP + 1, 10 * HOUR, 3, signature), reason);
        assertRefused(new RelayToken(GROUP, STAMP, 10 * HOUR + 1, 3, signature), reason);
        assertRefused(new RelayToken(GROUP, STAMP, 10 * HOUR, 2, signature), reason);
        for (int bit = 0; bit < 8 * signature.length; bit++) {
            byte[] forged = signature.clone();
            forged[bit / 8] ^= (byte) (1 << bit % 8);
            assertRefused(new RelayToken(GROUP, STAMP, 10 * HOUR, 3, forged), reason);
        }
    }

    @Test
    void everyOtherTargetOrOrderOfTargetsIsNoticed() {
        for (RelayTarget other : List.of(
                target(2, 0, "::1", 9002),
                target(1, 1, "::1", 9002),
                target(1, 0, "::2", 9002),
                target(1, 0, "::1", 9003),
                new RelayTarget(new ChunkId(new GroupId(8), 1, 0), new Address("::1", 9002)))) {
            List<RelayTarget> changed = new ArrayList<>(TARGETS);
            changed.set(1, other);
            assertRefused(signed(), changed, "ann", "was not signed for these 3 chunks");
        }
        List<RelayTarget> reversed = new ArrayList<>(TARGETS);
        Collections.reverse(reversed);
        assertRefused(signed(), reversed, "ann", "was not signed for these 3 chunks");
        assertRefused(signed(), TARGETS.subList(0, 2), "ann", "was not signed for these 2 chunks");
        assertRefused(signed(), List.of(), "ann", "was not signed for these 0 chunks");
    }

    @Test
    void aRelayTokenIsOfOneClusterAndOneUser() {
        assertRefused(signed(), TARGETS, "bob", "this user");
        cluster = "c2";
        assertRefused(signed(), TARGETS, "ann", "this cluster");
    }

    /** The same text cut elsewhere is another cluster and another user. */
    @Test
    void clusterAndUserDoNotRunIntoEachOther() {
        RelayToken token =
                new TokenSigner(key(3, 20 * HOUR)).signRelay("c1a", GROUP, STAMP, "nn", POLICY, TARGETS, 10 * HOUR);
        assertRefused(token, TARGETS, "ann", "was not signed");
    }

    @Test
    void aRelayTokenEndsWithItsTimeOrItsKey() {
        now = 10 * HOUR - 1;
        assertThatCode(() -> verifier.requireRelay(signed(), POLICY, TARGETS, "ann"))
                .doesNotThrowAnyException();
        now = 10 * HOUR;
        assertRefused(signed(), "it expired");
        now = 20 * HOUR;
        assertRefused(signed(key(3, 20 * HOUR), 90 * HOUR), "it expired");
        assertRefused(signed(key(9, 90 * HOUR), 90 * HOUR), "key 9 is not known");
    }

    /** Both kinds are signed with the same keys. */
    @Test
    void aBlockTokensSignatureIsNoneOfARelayToken() {
        for (BlockToken block : List.of(
                BlockTokens.sign(key(3, 20 * HOUR), GROUP, STAMP, BlockToken.Right.WRITE, 10 * HOUR),
                BlockTokens.sign(
                        key(3, 20 * HOUR),
                        GROUP,
                        STAMP,
                        BlockToken.Right.WRITE,
                        BlockToken.Scope.ofGroup("c1", 0, "ann"),
                        10 * HOUR))) {
            assertRefused(new RelayToken(GROUP, STAMP, 10 * HOUR, 3, block.signature()), "was not signed");
        }
    }

    @Test
    void itsTextHasNoSignature() {
        assertThat(signed().toString()).isEqualTo("RelayToken[g7 until=36000000 key=3]");
    }

    @Test
    void itIsForTheGroupsPolicyAlone() {
        assertThatThrownBy(() -> verifier.requireRelay(signed(), Policy.parse("rs-3-3-64k"), TARGETS, "ann"))
                .isInstanceOf(EcfsException.class);
    }
}
