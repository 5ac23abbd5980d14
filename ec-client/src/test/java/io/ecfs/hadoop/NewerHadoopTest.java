package io.ecfs.hadoop;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NewerHadoopTest {
    private static final String LEASES = "org.apache.hadoop.fs.LeaseRecoverable";
    private static final String BULK = "org.apache.hadoop.fs.BulkDelete";

    @Test
    void ofHadoop334EverythingNewerIsLeftOut() {
        assertThat(NewerHadoop.defaults(Set.of()::contains)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"false, io.ecfs.hadoop.RecoverableFileSystem", "true, io.ecfs.hadoop.BulkFileSystem"})
    void theRichestThatHadoopHasIsTheDefault(boolean bulk, String expected) {
        String resource = NewerHadoop.defaults((bulk ? Set.of(LEASES, BULK) : Set.of(LEASES))::contains)
                .orElseThrow();
        Configuration defaults = new Configuration(false);
        defaults.addResource(resource);
        assertThat(defaults.get("fs.ecfs.impl")).isEqualTo(expected);
    }

    @Test
    void aJobsOwnChoiceIsLeftAlone() throws Exception {
        Configuration job = new Configuration();
        job.set("fs.ecfs.impl", EcfsFileSystem.class.getName());
        assertThat(FileSystem.getFileSystemClass("ecfs", new Configuration())).isEqualTo(BulkFileSystem.class);
        assertThat(FileSystem.getFileSystemClass("ecfs", job)).isEqualTo(EcfsFileSystem.class);
    }
}
