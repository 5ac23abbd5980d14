package io.ecfs.console.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The launcher {@code ecfs} in front of a java that prints its locale. */
class LauncherLocaleTest {
    @TempDir
    private Path root;

    @Test
    void errorsOfTheSystemAreInEnglishAndFileNamesKeepTheirEncoding() throws Exception {
        assertThat(localeOf(Map.of("LC_ALL", "de_DE.UTF-8", "LANG", "fr_FR.ISO-8859-1", "LANGUAGE", "de")))
                .containsExactlyInAnyOrder("LANG=fr_FR.ISO-8859-1", "LC_CTYPE=de_DE.UTF-8", "LC_MESSAGES=C");
        assertThat(localeOf(Map.of("LANG", "de_DE.UTF-8", "LC_MESSAGES", "de_DE.UTF-8")))
                .containsExactlyInAnyOrder("LANG=de_DE.UTF-8", "LC_MESSAGES=C");
        assertThat(localeOf(Map.of("LANG", "de_DE.UTF-8", "LC_CTYPE", "fr_FR.UTF-8")))
                .containsExactlyInAnyOrder("LANG=de_DE.UTF-8", "LC_CTYPE=fr_FR.UTF-8", "LC_MESSAGES=C");
    }

    private List<String> localeOf(Map<String, String> environment) throws IOException, InterruptedException {
        Path launcher = root.resolve("ecfs");
        Files.writeString(launcher, Files.readString(Path.of("../ecfs")));
        Files.createDirectories(root.resolve("dist"));
        Files.writeString(root.resolve("dist/launch.sh"), Files.readString(Path.of("../dist/launch.sh")));
        Path java = root.resolve("jdk/bin/java");
        Files.createDirectories(java.getParent());
        Files.writeString(java, "#!/bin/sh\nenv\n");
        assertThat(java.toFile().setExecutable(true)).isTrue();
        Files.writeString(root.resolve("jdk/release"), "JAVA_VERSION=\"17.0.1\"\n");
        Path build = Files.createDirectories(root.resolve(".build"));
        Files.writeString(build.resolve("class-path"), Files.writeString(build.resolve("jar"), "") + "\n");
        Files.writeString(build.resolve("stamp"), "");

        ProcessBuilder command = new ProcessBuilder("bash", launcher.toString(), "version");
        command.environment().keySet().removeIf(name -> name.startsWith("LC_") || name.startsWith("LANG"));
        command.environment().putAll(environment);
        command.environment().put("JAVA_HOME", root.resolve("jdk").toString());
        command.redirectError(root.resolve("errors").toFile());
        Process process = command.start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor())
                .as(Files.readString(root.resolve("errors")))
                .isZero();
        List<String> locale = new ArrayList<>(printed.lines().toList());
        locale.removeIf(line -> !line.startsWith("LC_") && !line.startsWith("LANG="));
        return locale;
    }
}
