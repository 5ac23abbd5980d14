package io.ecfs.token;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class HmacTest {
    /** RFC 4231, test case 2. */
    @Test
    void itSignsAsTheRfcDoesAndAgainTheSame() {
        Hmac hmac = new Hmac("Jefe".getBytes(StandardCharsets.US_ASCII));
        byte[] message = "what do ya want for nothing?".getBytes(StandardCharsets.US_ASCII);
        byte[] expected = HexFormat.of().parseHex("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
        assertThat(hmac.sign(message)).isEqualTo(expected);
        assertThat(hmac.sign(message)).as("nothing of the first one is left").isEqualTo(expected);
    }
}
