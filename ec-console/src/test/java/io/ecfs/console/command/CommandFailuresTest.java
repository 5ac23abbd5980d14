package io.ecfs.console.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import java.io.IOException;
import java.net.ConnectException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;

class CommandFailuresTest {
    @Test
    void failuresOfOursAreTheirFirstLine() {
        assertThat(CommandFailures.oneLine(new EcfsException(ErrorCode.NOT_FOUND, "no file\nmore")))
                .isEqualTo("no file");
        assertThat(CommandFailures.oneLine(new IllegalArgumentException("--threads: 1 or more")))
                .isEqualTo("--threads: 1 or more");
        assertThat(CommandFailures.oneLine(new ConnectException("nobody at host:1")))
                .isEqualTo("nobody at host:1");
    }

    @Test
    void failuresOfTheSystemAreNamed() {
        assertThat(CommandFailures.oneLine(new NoSuchFileException("/a"))).isEqualTo("no such file: /a");
        assertThat(CommandFailures.oneLine(new AccessDeniedException("/a"))).isEqualTo("access denied: /a");
        assertThat(CommandFailures.oneLine(new InterruptedException())).isEqualTo("interrupted");
        assertThat(CommandFailures.oneLine(new IOException("disk\nstack"))).isEqualTo("IOException: disk");
        assertThat(CommandFailures.oneLine(new IllegalStateException())).isEqualTo("IllegalStateException");
    }

    @Test
    void theCauseOfAFutureIsShown() {
        EcfsException cause = new EcfsException(ErrorCode.INVALID_ARGUMENT, "bad");
        Throwable wrapped = new CompletionException(new ExecutionException(cause));
        assertThat(CommandFailures.oneLine(wrapped)).isEqualTo("bad");
        assertThat(CommandFailures.exitCode(wrapped)).isEqualTo(2);
        assertThat(CommandFailures.oneLine(new CompletionException("alone", null)))
                .isEqualTo("CompletionException: alone");
    }

    @Test
    void onlyWrongUsageExitsWithTwo() {
        for (ErrorCode code : ErrorCode.values()) {
            assertThat(CommandFailures.exitCode(new EcfsException(code, "x")))
                    .isEqualTo(code == ErrorCode.INVALID_ARGUMENT ? 2 : 1);
        }
        assertThat(CommandFailures.exitCode(new IllegalArgumentException("x"))).isEqualTo(2);
        assertThat(CommandFailures.exitCode(new IOException("x"))).isEqualTo(1);
    }
}
