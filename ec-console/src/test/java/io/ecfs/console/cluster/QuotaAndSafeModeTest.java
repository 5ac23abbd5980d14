package io.ecfs.console.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.client.EcfsClient;
import io.ecfs.error.EcfsException;
import io.ecfs.message.FilePath;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code ecfs admin quota} and {@code ecfs admin safemode}. */
class QuotaAndSafeModeTest {
    @TempDir
    private Path directory;

    private TestCluster cluster;

    @BeforeEach
    void start() throws IOException {
        cluster = TestCluster.start(directory, "rs-3-2-64k", 1, 5);
        Await.result(cluster.client().mkdirs(new FilePath("/projects"), 0755, true));
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    private Ecfs quota(String... arguments) {
        return admin("quota", arguments);
    }

    private Ecfs admin(String command, String... arguments) {
        String[] all = new String[4 + arguments.length];
        all[0] = "admin";
        all[1] = command;
        all[2] = "--cluster";
        all[3] = cluster.uri();
        System.arraycopy(arguments, 0, all, 4, arguments.length);
        return Ecfs.run(all);
    }

    @Test
    void aQuotaIsSetShownKeptAndTakenAway() throws IOException {
        assertThat(quota("/projects").well().text()).isEqualTo("/projects has no quota\n");
        assertThat(quota("/projects", "--names", "2", "--space", "1g").well().text())
                .contains("names")
                .contains("1.0 GiB");
        cluster.write("/projects/one", Pattern.bytes(1, 300));
        assertThatThrownBy(() -> cluster.write("/projects/two", new byte[1]))
                .isInstanceOf(EcfsException.class)
                .hasMessageContaining("/projects");
        assertThat(quota("/projects", "--json").well().json().get("namesUsed").asInt())
                .isEqualTo(2);
        assertThat(quota("/projects", "--json").json().get("spaceUsed").asInt()).isEqualTo(300 + 2 * 128);

        assertThat(quota("/projects", "--names", "none").well().text()).contains("none");
        cluster.write("/projects/two", new byte[1]);
        assertThat(quota("/projects", "--space", "none").well().text()).isEqualTo("/projects has no quota\n");
    }

    @Test
    void whatIsNoQuotaIsRefusedWithTheReasonFirst() {
        assertThat(quota("/projects", "--names", "0").err()).startsWith("ecfs: --names takes a number greater than 0");
        assertThat(quota("/projects", "--names", "many").err())
                .startsWith("ecfs: --names takes")
                .contains("'many'");
        assertThat(quota("/projects", "--space", "10 apples").err()).startsWith("ecfs: --space takes");
        Ecfs nowhere = quota("/nowhere", "--names", "5");
        assertThat(nowhere.code()).isNotZero();
        assertThat(nowhere.errorLines()).as(nowhere.err()).isEqualTo(1);
        assertThat(quota("/projects").well().text()).isEqualTo("/projects has no quota\n");
    }

    @Test
    void safeModeIsEnteredToldAndLeft() throws IOException {
        assertThat(admin("safemode").well().text()).isEqualTo("safe mode is off\n");
        assertThat(admin("safemode", "enter").well().text()).startsWith("safe mode is on: ");
        try (EcfsClient hasty = TestCluster.client(cluster.uri(), "namenodeDeadline=1s")) {
            assertThatThrownBy(() -> TestCluster.write(hasty, "/refused", new byte[1]))
                    .isInstanceOf(EcfsException.class);
        }
        assertThat(admin("safemode", "get", "--json").well().json().get("on").asBoolean())
                .isTrue();
        assertThat(admin("safemode", "leave").well().text()).isEqualTo("safe mode is off\n");
        cluster.write("/taken", new byte[1]);
        assertThat(admin("safemode", "perhaps").code()).isNotZero();
    }
}
