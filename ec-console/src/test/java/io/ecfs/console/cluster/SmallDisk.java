package io.ecfs.console.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** A file system of its own for a directory, in memory and small. A test that may not mount one is skipped. */
final class SmallDisk implements AutoCloseable {
    private final Path at;

    private SmallDisk(Path at) {
        this.at = at;
    }

    static SmallDisk mount(Path at, int mebibytes) throws IOException {
        Files.createDirectories(at);
        assumeTrue(
                run("mount", "-t", "tmpfs", "-o", "size=" + mebibytes + "m", "tmpfs", at.toString()), "may not mount");
        return new SmallDisk(at);
    }

    @Override
    public void close() throws IOException {
        assertThat(run("umount", at.toString())).as("umount " + at).isTrue();
    }

    @Override
    public String toString() {
        return "the disk at " + at;
    }

    /** Whether a command of the system ends well. */
    static boolean run(String... command) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        try {
            return process.waitFor(10, TimeUnit.SECONDS) && process.exitValue() == 0;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            process.destroyForcibly();
        }
    }
}
