package io.ecfs.console.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChildTest {
    @TempDir
    private Path release;

    @Test
    void eachKindOfProcessHasTheArchiveThatWasMadeForIt() throws IOException {
        Path daemons = Files.createFile(release.resolve("daemons-17.jsa"));
        Path console = Files.createFile(release.resolve("console-17.jsa"));
        assertThat(Child.archive(daemons, "console")).isEqualTo(console);
        assertThat(Child.archive(console, "datanode")).isEqualTo(daemons);
        assertThat(Child.archive(daemons, "up")).isEqualTo(daemons);
    }

    @Test
    void itsClassesAreLoadedAndCompiledAsOurs() {
        List<String> ours = List.of("-Xmx1g", "-Xshare:auto", "-XX:TieredStopAtLevel=1", "-Decfs.log=info");
        assertThat(Child.inherited(ours)).containsExactly("-Xshare:auto", "-XX:TieredStopAtLevel=1");
    }

    @Test
    void withoutOneItStartsWithOurs() throws IOException {
        Path daemons = Files.createFile(release.resolve("daemons-17.jsa"));
        Path another = Files.createFile(release.resolve("classes.jsa"));
        assertThat(Child.archive(daemons, "console")).isEqualTo(daemons);
        assertThat(Child.archive(another, "datanode")).isEqualTo(another);
    }
}
