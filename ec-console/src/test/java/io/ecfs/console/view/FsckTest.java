package io.ecfs.console.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.layout.GroupId;
import io.ecfs.message.FilePath;
import io.ecfs.message.report.FileProblem;
import io.ecfs.message.report.FileProblem.LackingChunk;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class FsckTest {
    @Test
    void aProblemHasTheseKeysForScripts() throws IOException {
        FileProblem problem = new FileProblem(
                new FilePath("/a/b"),
                new GroupId(7),
                5,
                6,
                true,
                List.of(new LackingChunk(2, "v3 of dn1", "dead datanode"), new LackingChunk(8, "", "missing")),
                "nothing can be done");
        String expected = "{\"path\":\"/a/b\",\"groupId\":7,\"chunksAlive\":5,\"chunksNeeded\":6,"
                + "\"doing\":\"nothing can be done\",\"lost\":true,\"lacking\":["
                + "{\"index\":2,\"place\":\"v3 of dn1\",\"why\":\"dead datanode\"},"
                + "{\"index\":8,\"place\":\"\",\"why\":\"missing\"}]}";
        assertThat(Fsck.json(problem).toString()).isEqualTo(expected);
        assertThat(Json.parse(expected.getBytes(StandardCharsets.UTF_8)).get("lacking"))
                .hasSize(2);
    }

    @Test
    void aProblemWithoutLackingChunksHasAnEmptyList() {
        FileProblem problem = new FileProblem(FilePath.ROOT, new GroupId(1), 6, 6, false, List.of(), "");
        assertThat(Fsck.json(problem).get("lacking")).isEmpty();
        assertThat(Fsck.json(problem).get("lost").booleanValue()).isFalse();
    }
}
