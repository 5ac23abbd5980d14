package io.ecfs.console.command.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.ecfs.bench.bed.Device;
import io.ecfs.bench.bed.erails.FlashDevice;
import io.ecfs.bench.bed.erails.Load;
import io.ecfs.bench.bed.erails.Medium;
import io.ecfs.bench.device.MeasuredMedium;
import io.ecfs.bench.erails.ErailsSetting;
import io.ecfs.code.kernel.Kernels;
import io.ecfs.error.EcfsException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParameterException;

class ErailsOptionsTest {
    @TempDir
    Path directory;

    @Command(name = "erails")
    private static final class Erails {
        @Mixin
        private ErailsOptions options = new ErailsOptions();
    }

    private static ErailsSetting setting(String... arguments) throws Exception {
        return options(arguments).setting(Kernels.java());
    }

    private static ErailsOptions options(String... arguments) {
        Erails erails = new Erails();
        new CommandLine(erails).setCaseInsensitiveEnumValuesAllowed(true).parseArgs(arguments);
        return erails.options;
    }

    @Test
    void withoutOptionsItIsThePapersRing() throws Exception {
        ErailsSetting usual = setting();
        assertThat(usual.media()).isEqualTo(Medium.SSD);
        assertThat(usual.mix()).isEqualTo(Load.Mix.DISPATCH);
        assertThat(usual.writers()).isEmpty();
        assertThat(usual.alwaysDecodes()).isFalse();
        assertThat(usual.chunkRequests()).isFalse();
    }

    @Test
    void optionsAreTaken() throws Exception {
        ErailsSetting given = setting(
                "--period",
                "5s",
                "--writers",
                "2",
                "--interference",
                "10",
                "--journal-size",
                "1g",
                "--failed",
                "1",
                "--skew",
                "100ms",
                "--mix",
                "completed",
                "--request",
                "chunk",
                "--always-decode",
                "--media",
                "zns");
        assertThat(given.turn()).contains(Duration.ofSeconds(5));
        assertThat(given.writers()).hasValue(2);
        assertThat(given.interference()).hasValue(10);
        assertThat(given.journalBytes()).hasValue(1L << 30);
        assertThat(given.failed()).isEqualTo(1);
        assertThat(given.skew()).isEqualTo(Duration.ofMillis(100));
        assertThat(given.mix()).isEqualTo(Load.Mix.COMPLETED);
        assertThat(given.chunkRequests()).isTrue();
        assertThat(given.alwaysDecodes()).isTrue();
        assertThat(given.media()).isEqualTo(Medium.ZNS);
    }

    @Test
    void aMeasuredDeviceIsAMedium() throws Exception {
        MeasuredMedium medium =
                new MeasuredMedium("/ssd0", new FlashDevice(new Device(1, 2), new Device(3, 4), 0.25, 0.5, 5, 6, 7));
        Path file = directory.resolve("ssd0.json");
        medium.write(file);
        assertThat(setting("--media", file.toString()).media()).isEqualTo(medium);
        Files.writeString(file, "no device");
        assertThatThrownBy(() -> setting("--media", file.toString()))
                .hasMessageContaining("is no file of 'ecfs bench device'");
    }

    @Test
    void badValuesAreWrongUsage() {
        for (String[] bad : List.of(
                new String[] {"--period", "soon"},
                new String[] {"--journal-size", "much"},
                new String[] {"--bed", "flash"},
                new String[] {"--mix", "stirred"},
                new String[] {"--writers", "many"})) {
            assertThatThrownBy(() -> options(bad)).isInstanceOf(ParameterException.class);
        }
        assertThatThrownBy(() -> setting("--media", "sdd")).hasMessageContaining("did you mean 'ssd'");
    }

    @Test
    void whatNoRingCanBeIsRefusedInOneLine() {
        for (String[] bad : List.of(
                new String[] {"--show", "fig11"},
                new String[] {"--show", "fig9", "--writers", "4"},
                new String[] {"--show", "fig9", "--period", "500ms"},
                new String[] {"--show", "fig9", "--failed", "4"},
                new String[] {"--show", "fig9", "--interference", "0.5"},
                new String[] {"--show", "fig9", "--reps", "2"},
                new String[] {"--bed", "cluster", "--show", "sweep"},
                new String[] {"--bed", "cluster", "--show", "fig9,group"},
                new String[] {"--bed", "cluster", "--failed", "1"},
                new String[] {"--bed", "cluster", "--skew", "100ms"},
                new String[] {"--bed", "cluster", "--slower", "0"},
                new String[] {"--dirs", "a,b"},
                new String[] {"--bed", "disks"},
                new String[] {"--bed", "disks", "--dirs", "a", "--slower", "8"},
                new String[] {"--bed", "disks", "--dirs", "a", "--media", "ssd"})) {
            assertThat(refusal(IllegalArgumentException.class, bad))
                    .isNotBlank()
                    .doesNotContain("\n");
        }
    }

    /** The message of a run that is refused for what was given. */
    private static String refusal(Class<? extends Exception> type, String... arguments) {
        Erails erails = new Erails();
        CommandLine command = new CommandLine(erails).setCaseInsensitiveEnumValuesAllowed(true);
        command.setOut(new PrintWriter(new StringWriter()));
        command.parseArgs(arguments);
        return catchThrowableOfType(type, () -> erails.options.run(command)).getMessage();
    }

    @Test
    void directoriesThatNoVolumesCanLieInAreRefusedInOneLine() throws Exception {
        for (String name : List.of("a", "b", "taken")) {
            Files.createDirectory(directory.resolve(name));
        }
        Files.createFile(directory.resolve("taken").resolve("letter"));
        String a = directory.resolve("a").toString();
        assertThat(onDisks(a, directory.resolve("none").toString())).contains("no such directory", "make it");
        assertThat(onDisks(a, a)).contains("twice");
        assertThat(onDisks(a, directory.resolve("taken").toString())).contains("is not empty, it has letter");
        String b = directory.resolve("b").toString();
        assertThat(refusal(IllegalArgumentException.class, "--bed", "disks", "--dirs", a + "," + b))
                .contains("name 6 directories in --dirs, got 2");
        assertThat(refusal(EcfsException.class, "--bed", "disks", "--dirs", a, "--journal", b))
                .contains("is on the device of volume " + a, "name a directory on another device");
        assertThat(directory.resolve("a")).isEmptyDirectory();
    }

    private static String onDisks(String... directories) {
        return refusal(EcfsException.class, "--bed", "disks", "--dirs", String.join(",", directories));
    }
}
