package io.ecfs.console.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.ecfs.layout.EncodingSide;
import io.ecfs.message.FilePath;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code ecfs ec set} and {@code ecfs ec get}. */
class EcCommandTest {
    @TempDir
    private static Path directory;

    private static TestCluster cluster;

    @BeforeAll
    static void start() throws IOException {
        cluster = TestCluster.start(directory, "rs-2-1-64k", 1, 4);
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    private static Ecfs ec(String command, String... words) {
        String[] all = new String[4 + words.length];
        all[0] = "ec";
        all[1] = command;
        all[2] = "--cluster";
        all[3] = cluster.uri();
        System.arraycopy(words, 0, all, 4, words.length);
        return Ecfs.run(all);
    }

    private static void mkdirs(String path) throws IOException {
        Await.result(cluster.client().mkdirs(new FilePath(path), 0755, true));
    }

    @Test
    void aDirectoryGetsAPolicyAndASideAtOnceAndEachAlone() throws IOException {
        mkdirs("/thin/below");
        assertThat(ec("get", "/thin").well().text()).isEqualTo("rs-2-1-64k\n");
        assertThat(ec("set", "replication-2-64k", "/thin", "--encode", "master")
                        .well()
                        .text())
                .isEqualTo("/thin replication-2-64k --encode master\n");
        assertThat(ec("get", "/thin/below").well().text()).isEqualTo("replication-2-64k --encode master\n");
        assertThat(Await.result(cluster.client().status(new FilePath("/thin/below")))
                        .encoding())
                .contains(EncodingSide.MASTER);
        assertThat(ec("set", "--encode", "auto", "/thin").well().text())
                .isEqualTo("/thin replication-2-64k --encode auto\n");
        assertThat(ec("set", "inherit", "/thin").well().text()).isEqualTo("/thin rs-2-1-64k --encode auto\n");
        assertThat(ec("set", "/thin", "--encode", "inherit").well().text()).isEqualTo("/thin rs-2-1-64k\n");
    }

    @Test
    void aPolicyAndASideAreOneRequest() throws IOException {
        mkdirs("/one");
        ec("set", "replication-2-64k", "/one", "--encode", "master").well();
        JsonNode entries = Ecfs.run("admin", "audit", "--cluster", cluster.uri(), "--find", "/one", "--json")
                .well()
                .json()
                .get("entries");
        assertThat(entries.findValuesAsText("action"))
                .contains("setEncodingSide")
                .doesNotContain("setErasureCodingPolicy");
        assertThat(entries.toString()).contains("master", "replication-2-64k");
    }

    @Test
    void aWrongSideChangesNothingAndNamesTheNearest() throws IOException {
        mkdirs("/wrong");
        Ecfs ran = ec("set", "replication-2-64k", "/wrong", "--encode", "mastr");
        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err()).contains("'mastr'", "did you mean master?");
        assertThat(ran.errorLines()).as(ran.err()).isEqualTo(1);
        assertThat(ec("get", "/wrong").well().text()).isEqualTo("rs-2-1-64k\n");
    }

    @Test
    void aDirectoryGetsALimitOfPackingThatIsInherited() throws IOException {
        mkdirs("/packs/below");
        assertThat(ec("set", "--pack", "256k", "/packs").well().text()).isEqualTo("/packs rs-2-1-64k --pack 262144\n");
        assertThat(ec("get", "/packs/below").well().text()).isEqualTo("rs-2-1-64k --pack 262144\n");
        assertThat(ec("set", "/packs/below", "--pack", "off").well().text())
                .isEqualTo("/packs/below rs-2-1-64k --pack off\n");
        assertThat(ec("get", "/packs").well().text()).isEqualTo("rs-2-1-64k --pack 262144\n");
        assertThat(ec("set", "/packs/below", "--pack", "default").well().text())
                .isEqualTo("/packs/below rs-2-1-64k --pack 262144\n");
        String entries = Ecfs.run("admin", "audit", "--cluster", cluster.uri(), "--find", "/packs", "--json")
                .well()
                .json()
                .get("entries")
                .toString();
        assertThat(entries).contains("setPacking", "upTo=0", "upTo=262144", "unsetPacking");
    }

    @Test
    void aWrongLimitOfPackingAndOneBesideAPolicyChangeNothing() throws IOException {
        mkdirs("/unpacked");
        for (String[] words : new String[][] {
            {"/unpacked", "--pack", "some"},
            {"/unpacked", "--pack", "-1"},
            {"replication-2-64k", "/unpacked", "--pack", "1k"}
        }) {
            Ecfs ran = ec("set", words);
            assertThat(ran.code()).isEqualTo(2);
            assertThat(ran.err()).contains("--pack");
            assertThat(ran.errorLines()).as(ran.err()).isEqualTo(1);
        }
        assertThat(ec("get", "/unpacked").well().text()).isEqualTo("rs-2-1-64k\n");
    }

    @Test
    void aPathAloneSaysWhatIsMissing() {
        Ecfs ran = ec("set", "/");
        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err()).contains("--encode SIDE");
    }
}
