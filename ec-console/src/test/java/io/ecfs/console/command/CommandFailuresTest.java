package io.ecfs.console.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.ConnectException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        up --datanodes x       | ecfs: Invalid value for option '--datanodes': 'x' is not an int; see ecfs up --help
        bnch                   | ecfs: Unmatched argument at index 0: 'bnch'; did you mean bench?
        up --datanode 3        | ecfs: Unknown options: '--datanode', '3'; did you mean --datanodes?
        model                  | ecfs: Which model? There is write; see ecfs model --help.
        """)
    void aLineThatCannotBeReadIsAnsweredByOneLine(String line, String answer) {
        StringWriter err = new StringWriter();
        int exit = EcfsCommand.commandLine().setErr(new PrintWriter(err)).execute(line.split(" "));
        assertThat(exit).isEqualTo(2);
        assertThat(err.toString()).isEqualTo(answer + System.lineSeparator());
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
