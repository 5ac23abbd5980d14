package io.ecfs.message;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CallerContextTest {
    @ParameterizedTest
    @CsvSource({
        "client console:ann, ann as root, console",
        "client cli sudo:ann, ann as root, cli",
        "client cli, root, cli",
        "client console:root, root, console",
        "client console:, root, console",
        "client console:a b, root, console",
        "client webhdfs via:hue, root, webhdfs",
        "datanode, root, datanode",
        "'', root, ''",
    })
    void thePersonAndTheProgramAreFound(String context, String who, String via) {
        assertThat(new CallerContext(context).who("root")).isEqualTo(who);
        assertThat(new CallerContext(context).via()).isEqualTo(via);
    }
}
