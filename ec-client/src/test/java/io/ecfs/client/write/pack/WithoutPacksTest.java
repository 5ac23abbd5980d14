package io.ecfs.client.write.pack;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.client.ClusterTest;
import io.ecfs.layout.Policy;
import io.ecfs.message.FilePath;
import io.ecfs.wire.Await;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** A client that packs, of namenodes that know no packs. */
class WithoutPacksTest extends ClusterTest {
    private static final FilePath SECOND = new FilePath("/second");

    @Test
    void filesGetGroupsOfTheirOwn() throws IOException {
        start(5, config().with("pack.on=true"));
        write(FILE, Policy.parse("rs-3-2-4k"), 1000);
        write(SECOND, Policy.parse("rs-3-2-4k"), 70_000);
        assertThat(Await.result(client.status(FILE)).length()).isEqualTo(1000);
        assertThat(Await.result(client.status(SECOND)).length()).isEqualTo(70_000);
    }
}
