package io.ecfs.console.cluster;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.ecfs.client.name.ClustersFile;
import io.ecfs.console.command.EcfsCommand;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;

/**
 * One run of the command line inside this process.
 *
 * @param out bytes, since {@code fs -cat} prints a file's
 */
record Ecfs(int code, byte[] out, String err) {
    private static final ObjectMapper JSON = new ObjectMapper();

    static {
        keepLogsOut();
    }

    static Ecfs run(String... arguments) {
        return run(InputStream.nullInputStream(), arguments);
    }

    /** Hadoop's shell prints to the process's streams and reads from them, so one run at a time. */
    static synchronized Ecfs run(InputStream in, String... arguments) {
        keepNamesOut();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        PrintStream outBefore = System.out;
        PrintStream errBefore = System.err;
        InputStream inBefore = System.in;
        PrintStream newOut = new PrintStream(out, true, StandardCharsets.UTF_8);
        PrintStream newErr = new PrintStream(err, true, StandardCharsets.UTF_8);
        System.setOut(newOut);
        System.setErr(newErr);
        System.setIn(in);
        try {
            CommandLine line = EcfsCommand.commandLine();
            line.setOut(new PrintWriter(newOut, true, StandardCharsets.UTF_8));
            line.setErr(new PrintWriter(newErr, true, StandardCharsets.UTF_8));
            int code = line.execute(arguments);
            newOut.flush();
            newErr.flush();
            return new Ecfs(code, out.toByteArray(), err.toString(StandardCharsets.UTF_8));
        } finally {
            System.setOut(outBefore);
            System.setErr(errBefore);
            System.setIn(inBefore);
        }
    }

    /**
     * The daemons of this process log to its standard output: to the one it has now, not to the one a command prints
     * to.
     */
    private static void keepLogsOut() {
        Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        root.iteratorForAppenders().forEachRemaining(appender -> {
            if (appender instanceof ConsoleAppender<ILoggingEvent> console) {
                console.setOutputStream(System.out);
            }
        });
    }

    /** Whatever starts this JVM, {@code up} enters no name in the home of the person who tests. */
    private static void keepNamesOut() {
        if (System.getenv(ClustersFile.VARIABLE) == null && System.getProperty(ClustersFile.PROPERTY) == null) {
            System.setProperty(
                    ClustersFile.PROPERTY,
                    Path.of(System.getProperty("java.io.tmpdir"), "ecfs-tests", "clusters.yaml")
                            .toString());
        }
    }

    /** @throws AssertionError unless it ended with 0 */
    Ecfs well() {
        if (code != 0) {
            throw new AssertionError("ended with " + code + ": " + err + text());
        }
        return this;
    }

    String text() {
        return new String(out, StandardCharsets.UTF_8);
    }

    JsonNode json() throws IOException {
        return JSON.readTree(out);
    }

    /** The lines of the error stream that say something. */
    long errorLines() {
        return err.lines().filter(l -> !l.isBlank()).count();
    }
}
