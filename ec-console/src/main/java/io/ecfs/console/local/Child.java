package io.ecfs.console.local;

import io.ecfs.client.name.ClustersFile;
import io.ecfs.env.real.PrivateFiles;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Processes of {@code ecfs} that this command starts; they live on after it unless it ends them: the same JVM and class
 * path, in a session of their own so that a Ctrl-C meant for this command does not reach them, their output in a log
 * file.
 */
public final class Child {
    private static final Logger LOG = LoggerFactory.getLogger(Child.class);
    private static final String MAIN = "io.ecfs.console.Main";
    private static final String ARCHIVE = "-XX:SharedArchiveFile=";
    private static final List<String> INHERITED =
            List.of(ARCHIVE, "--enable-native-access", "-Xshare", "-XX:TieredStopAtLevel=");
    private static final Duration STOP_PATIENCE = Duration.ofSeconds(30);

    private Child() {}

    /**
     * Starts {@code ecfs ARGUMENTS}.
     *
     * @param log gets what it prints, appended
     * @param jvm what is special about the process, such as {@code -Xmx256m}
     */
    public static Process start(Path log, List<String> jvm, List<String> arguments) throws IOException {
        PrivateFiles.createDirectory(log.getParent());
        List<String> command = new ArrayList<>(List.of("setsid", java()));
        command.addAll(inheritedOptions(arguments.get(0)));
        command.addAll(List.of("-XX:+UseSerialGC", "-XX:+ExitOnOutOfMemoryError"));
        command.addAll(jvm);
        Optional.ofNullable(System.getProperty(ClustersFile.PROPERTY))
                .ifPresent(file -> command.add("-D" + ClustersFile.PROPERTY + "=" + file));
        command.addAll(List.of("-Decfs.log=info", "-cp", System.getProperty("java.class.path"), MAIN));
        command.addAll(arguments);
        return new ProcessBuilder(command)
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
    }

    /** The process when it runs and is one of ours: a pid may have gone to a stranger since it was written down. */
    static Optional<ProcessHandle> ours(long pid) {
        return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).filter(Child::isEcfs);
    }

    /** Asks processes to stop, waits for them, and kills those that do not. */
    static void stopAll(List<ProcessHandle> processes) {
        processes.forEach(ProcessHandle::destroy);
        CompletableFuture<?> gone = CompletableFuture.allOf(
                processes.stream().map(ProcessHandle::onExit).toArray(CompletableFuture[]::new));
        try {
            gone.get(STOP_PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } catch (TimeoutException | ExecutionException e) {
            LOG.warn("event=processes_killed reason=not_stopped_after_{}s", STOP_PATIENCE.toSeconds());
            processes.forEach(ProcessHandle::destroyForcibly);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            processes.forEach(ProcessHandle::destroyForcibly);
            gone.join(); // who is in a hurry may remove their files next
        }
    }

    /** Stops a process from running on (SIGSTOP), sockets open. */
    public static void suspend(ProcessHandle process) throws IOException, InterruptedException {
        signal(process, "STOP");
    }

    /** Continues a suspended process. */
    public static void resume(ProcessHandle process) throws IOException, InterruptedException {
        signal(process, "CONT");
    }

    private static void signal(ProcessHandle process, String signal) throws IOException, InterruptedException {
        int code = new ProcessBuilder("kill", "-" + signal, String.valueOf(process.pid()))
                .start()
                .waitFor();
        if (code != 0) {
            throw new EcfsException(
                    ErrorCode.INTERNAL, "kill -" + signal + " " + process.pid() + " ended with code " + code);
        }
    }

    private static boolean isEcfs(ProcessHandle process) {
        try {
            return Files.readString(Path.of("/proc", String.valueOf(process.pid()), "cmdline"))
                    .contains(MAIN);
        } catch (IOException e) {
            return false;
        }
    }

    private static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    private static List<String> inheritedOptions(String command) {
        return inherited(ManagementFactory.getRuntimeMXBean().getInputArguments()).stream()
                .map(o ->
                        o.startsWith(ARCHIVE) ? ARCHIVE + archive(Path.of(o.substring(ARCHIVE.length())), command) : o)
                .toList();
    }

    /** Those of this JVM's options that its children have too: how classes are loaded and compiled. */
    static List<String> inherited(List<String> options) {
        return options.stream()
                .filter(option -> INHERITED.stream().anyMatch(option::startsWith))
                .toList();
    }

    /** The archive of classes that the launcher made for processes such as the child; ours where there is none. */
    static Path archive(Path ours, String command) {
        String kind = command.equals(ClusterFile.CONSOLE) ? "console" : "daemons";
        Path theirs = ours.resolveSibling(
                ours.getFileName().toString().replaceFirst("^(commands|console|daemons)(?=-)", kind));
        return Files.exists(theirs) ? theirs : ours;
    }
}
