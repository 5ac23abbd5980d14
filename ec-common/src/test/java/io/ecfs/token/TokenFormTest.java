package io.ecfs.token;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.layout.GroupId;
import io.ecfs.message.chunk.BlockToken;
import io.ecfs.message.chunk.BlockToken.Right;
import io.ecfs.message.chunk.BlockToken.Scope;
import io.ecfs.message.datanode.TokenKey;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class TokenFormTest {
    private static final GroupId GROUP = new GroupId(7);
    private static final int STAMP = 0x1234;
    private static final TokenKey KEY = key();

    private static TokenKey key() {
        byte[] secret = new byte[TokenKey.SECRET_BYTES];
        Arrays.fill(secret, (byte) 3);
        return new TokenKey(3, secret, 2_000);
    }

    /**
     * Made by another implementation of HMAC-SHA256: a daemon of another release must read and accept just these bytes.
     */
    @Test
    void versionsOneAndTwoHaveTheseBytes() {
        BlockToken two =
                BlockTokens.sign(KEY, GROUP, STAMP, Right.READ, new Scope("c1", 2, 1, 4096, 8192, "änn"), 1_900);
        assertThat(HexFormat.of().formatHex(TokenForm.bytes(two)))
                .isEqualTo("82026331000000000000000700001234000000020000000100000000000010000000000000002000"
                        + "0104c3a46e6e000000000000076c000000030ae691868bb0fd5b23fb5027ede7537d79276cd8495e"
                        + "10699ee40363b562db33");
        BlockToken one = BlockTokens.sign(KEY, GROUP, STAMP, Right.WRITE, 1_900);
        assertThat(HexFormat.of().formatHex(TokenForm.bytes(one)))
                .isEqualTo("00000000000000070000123401000000000000076c000000030c54cf3d56f31934cfaa5ab7c1368f"
                        + "6becc5cf71ab3be2f8fbc21fafd401d6de");
        for (BlockToken token : new BlockToken[] {one, two}) {
            ByteBuffer bytes = ByteBuffer.wrap(TokenForm.bytes(token));
            assertThat(TokenForm.read(bytes)).isEqualTo(token);
            assertThat(bytes.hasRemaining()).isFalse();
        }
    }

    @Test
    void whatEndsInTheMiddleOrIsOfAnotherVersionIsNoToken() {
        byte[] bytes =
                TokenForm.bytes(BlockTokens.sign(KEY, GROUP, STAMP, Right.READ, Scope.ofGroup("c1", 0, "ann"), 1_900));
        for (int length = 1; length < bytes.length; length++) {
            ByteBuffer cut = ByteBuffer.wrap(bytes, 0, length);
            assertThatThrownBy(() -> TokenForm.read(cut))
                    .isInstanceOfAny(BufferUnderflowException.class, IllegalArgumentException.class);
        }
        bytes[0] = (byte) 0x83;
        assertThatThrownBy(() -> TokenForm.read(ByteBuffer.wrap(bytes))).hasMessageContaining("version 3");
    }
}
