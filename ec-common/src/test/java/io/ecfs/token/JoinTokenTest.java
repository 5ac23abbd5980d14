package io.ecfs.token;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.error.EcfsException;
import io.ecfs.message.Greeting;
import io.ecfs.token.JoinToken.Prover;
import java.util.List;
import org.junit.jupiter.api.Test;

class JoinTokenTest {
    private static final String ONE = "01".repeat(32);
    private static final String TWO = "ab".repeat(32);
    private static final Greeting.Hello HELLO =
            new Greeting.Hello(2, "c1", "datanode dn1", List.of(), "datanode dn1").with("1".repeat(64));
    private static final Greeting.Welcome WELCOME = new Greeting.Welcome(2, "c1", "namenode nn0").with("2".repeat(64));

    private static JoinToken token(String... lines) throws EcfsException {
        return JoinToken.of(List.of(lines));
    }

    @Test
    void theFirstSecretProvesAndAllAreAccepted() throws EcfsException {
        String proof = token(TWO, ONE).prove(Prover.CALLER, HELLO, WELCOME);
        assertThat(proof).isEqualTo(token(TWO).prove(Prover.CALLER, HELLO, WELCOME));
        assertThat(token(ONE, TWO).accepts(proof, Prover.CALLER, HELLO, WELCOME))
                .isTrue();
        assertThat(token(ONE).accepts(proof, Prover.CALLER, HELLO, WELCOME)).isFalse();
    }

    @Test
    void aProofIsOfOneEndAndOfTheseGreetingsAlone() throws EcfsException {
        JoinToken token = token(ONE);
        String proof = token.prove(Prover.CALLER, HELLO, WELCOME);
        assertThat(token.accepts(proof, Prover.CALLER, HELLO, WELCOME)).isTrue();
        assertThat(token.accepts(proof, Prover.SERVER, HELLO, WELCOME))
                .as("reflected")
                .isFalse();
        List<Greeting.Hello> others = List.of(
                HELLO.with("3".repeat(64)),
                new Greeting.Hello(2, "c2", "datanode dn1", List.of(), "datanode dn1").with("1".repeat(64)),
                new Greeting.Hello(2, "c1", "root", List.of(), "datanode dn1").with("1".repeat(64)),
                new Greeting.Hello(2, "c1", "datanode dn1", List.of(), "datanode dn2").with("1".repeat(64)));
        for (Greeting.Hello other : others) {
            assertThat(token.accepts(proof, Prover.CALLER, other, WELCOME))
                    .as("%s", other)
                    .isFalse();
        }
        for (Greeting.Welcome other : List.of(
                WELCOME.with("4".repeat(64)),
                new Greeting.Welcome(2, "c2", "namenode nn0").with("2".repeat(64)),
                new Greeting.Welcome(2, "c1", "namenode nn1").with("2".repeat(64)))) {
            assertThat(token.accepts(proof, Prover.CALLER, HELLO, other))
                    .as("%s", other)
                    .isFalse();
        }
    }

    @Test
    void whatIsNoTokenIsRefusedWithoutAWordOfIt() {
        for (List<String> lines : List.of(
                List.<String>of(),
                List.of("", " "),
                List.of("5ec7e7"),
                List.of(ONE, "5ec7e7"),
                List.of(ONE + "0"),
                List.of("5ec7e7-".repeat(10).substring(0, 64)))) {
            assertThatThrownBy(() -> JoinToken.of(lines))
                    .isInstanceOf(EcfsException.class)
                    .message()
                    .contains("64 hexadecimal digits")
                    .doesNotContain("5ec7e7", "\n");
        }
    }

    @Test
    void itsTextHidesIt() throws EcfsException {
        assertThat(token(TWO, "").toString()).doesNotContain("ab");
    }
}
