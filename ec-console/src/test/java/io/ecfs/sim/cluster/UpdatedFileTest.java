package io.ecfs.sim.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.message.FilePath;
import io.ecfs.sim.cluster.UpdatedFile.Update;
import org.junit.jupiter.api.Test;

class UpdatedFileTest {
    private final UpdatedFile file = new UpdatedFile(FilePath.ROOT.child("u"));

    @Test
    void bytesOfAnUpdateThatIsNotProvenMayBeGone() {
        assertThat(file.leastLength()).isZero();
        file.submit(Update.Write.of(1, 1000, 500));
        file.submit(Update.Write.of(2, 0, 700));
        file.submit(new Update.Cut(900));
        file.submit(Update.Write.of(3, 800, 400));
        assertThat(file.leastLength()).as("nothing is proven").isZero();
        file.prove(1);
        assertThat(file.leastLength()).as("a cut is not proven").isEqualTo(900);
        file.prove(2);
        assertThat(file.leastLength()).isEqualTo(900);
        file.prove(4);
        assertThat(file.leastLength()).as("all is proven").isEqualTo(1200);
    }

    @Test
    void bytesThatWereThereBeforeAllUpdatesStay() {
        file.settle(new byte[300]);
        file.submit(Update.Write.of(1, 200, 500));
        assertThat(file.leastLength()).isEqualTo(300);
        file.prove(1);
        assertThat(file.leastLength()).isEqualTo(700);
    }
}
