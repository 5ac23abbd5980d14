package io.ecfs.console.architecture;

import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Rules that the bytecode does not show, over the main sources of all modules. */
class SourcesTest {
    private static final Path ROOT =
            Path.of(System.getProperty("basedir", "")).toAbsolutePath().getParent();
    private static final List<String> MODULES =
            List.of("ec-common", "ec-native", "ec-namenode", "ec-datanode", "ec-client", "ec-console");
    private static final Pattern PACKAGE_DOCUMENTATION = Pattern.compile("(?s)\\s*/\\*\\*.{20,}?\\*/.*\\bpackage\\s.*");
    private static final Pattern LEFT_OPEN = Pattern.compile("\\b(TO" + "DO|FIX" + "ME|XXX)\\b");

    private static final Pattern NAMED_TEST = Pattern.compile("`(\\w+)\\.(\\w+)`");
    private static final Pattern METRIC_IN_CODE = Pattern.compile("\"(ecfs_\\w+)\"");
    private static final Pattern METRIC_IN_DOCUMENT = Pattern.compile("`(ecfs_\\w+)`");
    private static final int WIDTH = 120;
    private static final Pattern BUG = Pattern.compile("[A-Z]+-\\d+|\\b\\d{4,}\\b");

    @Test
    void everyPackageTellsItsIdea() throws IOException {
        for (Path directory : packages()) {
            assertThat(directory.resolve("package-info.java"))
                    .as("a package tells its idea in its package-info.java")
                    .exists()
                    .content()
                    .as("%s begins with its documentation", directory)
                    .matches(PACKAGE_DOCUMENTATION);
        }
    }

    @Test
    void theDesignNamesEveryPackage() throws IOException {
        String design = Files.readString(ROOT.resolve("docs/design.md"));
        List<String> unnamed = new ArrayList<>();
        for (Path directory : packages()) {
            String name = name(directory);
            if (holdsTypes(directory) && !design.contains("`" + name + "`")) {
                unnamed.add(name);
            }
        }
        assertThat(unnamed)
                .as("packages without a line in the table of docs/design.md")
                .isEmpty();
    }

    @Test
    void noMainSourceLeavesSomethingOpen() throws IOException {
        List<String> found = new ArrayList<>();
        for (Path source : sources()) {
            if (LEFT_OPEN.matcher(Files.readString(source)).find()) {
                found.add(ROOT.relativize(source).toString());
            }
        }
        assertThat(found)
                .as("what is left to do is an issue of the project, not a comment")
                .isEmpty();
    }

    @Test
    void everyBugOfOthersHasItsTestsAndTheyNameIt() throws IOException {
        Map<String, String> tests = testSources();
        List<String> missing = new ArrayList<>();
        for (String row : Files.readAllLines(ROOT.resolve("docs/horrors.md"))) {
            String[] cells = row.split("\\|", -1);
            Matcher named = NAMED_TEST.matcher(cells.length == 5 ? cells[3] : "");
            StringBuilder told = new StringBuilder();
            while (named.find()) {
                String source = tests.getOrDefault(named.group(1), "");
                told.append(source);
                if (!source.contains("void " + named.group(2) + "(")) {
                    missing.add(named.group());
                }
            }
            Matcher bug = told.length() > 0 ? BUG.matcher(cells[1]) : BUG.matcher("");
            while (bug.find()) {
                if (!told.toString().contains(bug.group())) {
                    missing.add(bug.group() + " in " + cells[3].trim());
                }
            }
        }
        assertThat(missing)
                .as("what docs/horrors.md names and the tests do not have")
                .isEmpty();
    }

    @Test
    void theDeployPageHasEveryMetricAndNoOther() throws IOException {
        Set<String> exported = new TreeSet<>();
        for (Path source : sources()) {
            Matcher metric = METRIC_IN_CODE.matcher(Files.readString(source));
            while (metric.find()) {
                exported.add(metric.group(1));
            }
        }
        Set<String> documented = new TreeSet<>();
        Matcher metric = METRIC_IN_DOCUMENT.matcher(Files.readString(ROOT.resolve("docs/deploy.md")));
        while (metric.find()) {
            documented.add(metric.group(1));
        }
        assertThat(documented).as("metrics in docs/deploy.md").isEqualTo(exported);
    }

    @Test
    void linesOfTheDocumentationAreAtMost120Wide() throws IOException {
        List<String> wide = new ArrayList<>();
        for (Path page : pages()) {
            boolean code = false;
            int number = 0;
            for (String line : Files.readAllLines(page)) {
                number++;
                code ^= line.strip().startsWith("```");
                boolean table = line.startsWith("|");
                if (!code && !table && line.length() > WIDTH) {
                    wide.add(ROOT.relativize(page) + ":" + number + " has " + line.length());
                }
            }
        }
        assertThat(wide)
                .as("lines outside tables and code blocks that are wider than %d", WIDTH)
                .isEmpty();
    }

    @Test
    void linesOfMainSourcesAreAtMost120Wide() throws IOException {
        List<String> wide = new ArrayList<>();
        for (Path source : sources()) {
            int number = 0;
            for (String line : Files.readAllLines(source)) {
                number++;
                if (line.length() > WIDTH) {
                    wide.add(ROOT.relativize(source) + ":" + number + " has " + line.length());
                }
            }
        }
        assertThat(wide).as("lines of main sources wider than %d", WIDTH).isEmpty();
    }

    private static List<Path> pages() throws IOException {
        List<Path> pages = new ArrayList<>();
        for (Path directory : List.of(ROOT, ROOT.resolve("docs"))) {
            try (Stream<Path> files = Files.list(directory)) {
                files.filter(file -> file.toString().endsWith(".md")).sorted().forEach(pages::add);
            }
        }
        assertThat(pages).as("pages of documentation below %s", ROOT).isNotEmpty();
        return pages;
    }

    private static Map<String, String> testSources() throws IOException {
        Map<String, String> sources = new HashMap<>();
        for (String module : MODULES) {
            try (Stream<Path> files = Files.walk(ROOT.resolve(module).resolve("src/test/java"))) {
                for (Path file :
                        files.filter(f -> f.toString().endsWith("Test.java")).toList()) {
                    String name = file.getFileName().toString().replace(".java", "");
                    sources.merge(name, Files.readString(file), String::concat);
                }
            }
        }
        return sources;
    }

    private static String name(Path directory) {
        String path = directory.toString().replace(File.separatorChar, '.');
        return path.substring(path.indexOf("src.main.java.") + "src.main.java.".length());
    }

    private static boolean holdsTypes(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString())
                    .anyMatch(file -> file.endsWith(".java") && !file.equals("package-info.java"));
        }
    }

    private static Set<Path> packages() throws IOException {
        return sources().stream().map(Path::getParent).collect(toCollection(TreeSet::new));
    }

    private static List<Path> sources() throws IOException {
        List<Path> sources = new ArrayList<>();
        for (String module : MODULES) {
            try (Stream<Path> tree = Files.walk(ROOT.resolve(module).resolve("src/main/java"))) {
                tree.filter(path -> path.toString().endsWith(".java")).forEach(sources::add);
            }
        }
        assertThat(sources).as("main sources below %s", ROOT).isNotEmpty();
        return sources;
    }
}
