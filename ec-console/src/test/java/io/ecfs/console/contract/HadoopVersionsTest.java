package io.ecfs.console.contract;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ecfs.console.contract.HadoopReferences.Reference;
import io.ecfs.message.FilePath;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;

/**
 * One jar for several Hadoops: every reference of the connector is in the file {@code hadoop-references}, each with the
 * first version that has it. A reference younger than the oldest Hadoop is only in a class that an older one never
 * links. What the file says is compared with the published jars in {@code ecfs test --all}.
 */
class HadoopVersionsTest {
    private static final List<String> VERSIONS = List.of("3.3.4", "3.3.6", "3.4.0", "3.4.1", "3.4.2", "3.5.0");

    /** Classes that older Hadoops never link, with the first version that does. */
    private static final Map<String, String> GUARDED = Map.of(
            // NewerHadoop chooses them.
            "RecoverableFileSystem", "3.3.6",
            "BulkFileSystem", "3.4.1",
            "BulkDeletes", "3.4.1",
            // Linked by HadoopInput.readVectored, which only callers with FileRange can call.
            "VectoredReads", "3.3.6");

    /** Directory that Maven compiles to: tests see ec-client as a jar. */
    private static final Path CLASSES = Path.of("../ec-client/target/classes");

    /** In the list of inner classes of StreamFileSystem alone; the compiler copied its constants. */
    private static final String ONLY_NAMED = "org/apache/hadoop/fs/Options$OpenFileOptions";

    @Test
    void everyReferenceIsInTheList() throws Exception {
        SortedSet<String> news = new TreeSet<>();
        HadoopReferences.of(CLASSES).keySet().forEach(reference -> news.add(reference.toString()));
        SortedSet<String> gone = new TreeSet<>(listed().keySet());
        gone.removeAll(news);
        news.removeAll(listed().keySet());
        assertEquals(
                List.of(List.of(), List.of()),
                List.of(List.copyOf(news), List.copyOf(gone)),
                "new and gone references: './ecfs test --all HadoopVersionsTest' writes target/hadoop-references,"
                        + " to be copied to src/test/resources/contract");
    }

    @Test
    void youngReferencesAreOnlyInGuardedClasses() throws Exception {
        Map<String, String> since = listed();
        List<String> unguarded = new ArrayList<>();
        HadoopReferences.of(CLASSES).forEach((reference, users) -> {
            for (String user : reference.toString().equals(ONLY_NAMED) ? Set.<String>of() : users) {
                String linked = GUARDED.getOrDefault(user, VERSIONS.get(0));
                String first = since.getOrDefault(reference.toString(), "no version listed");
                if (!VERSIONS.contains(first) || VERSIONS.indexOf(first) > VERSIONS.indexOf(linked)) {
                    unguarded.add(user + " needs " + reference + " of " + first);
                }
            }
        });
        assertEquals(List.of(), unguarded);
    }

    @Tag("soak") // downloads 120 MB
    @Test
    void theListIsWhatPublishedJarsHave() throws Exception {
        SortedMap<Reference, SortedSet<String>> references = HadoopReferences.of(CLASSES);
        Map<String, HadoopReferences.Classes> published = new TreeMap<>();
        for (String version : VERSIONS) {
            published.put(version, new HadoopReferences.Classes(List.of(url(CLASSES), url(jar(version)))));
        }
        List<String> lines = new ArrayList<>();
        for (Reference reference : references.keySet()) {
            String first = "never";
            for (String version : VERSIONS) {
                boolean has = published.get(version).has(reference);
                assertTrue(has || first.equals("never"), reference + " is gone in " + version);
                first = has && first.equals("never") ? version : first;
            }
            lines.add(first + " " + reference);
        }
        Files.write(Path.of("target/hadoop-references"), lines);
        assertEquals(resource().lines().toList(), lines, "target/hadoop-references has the new list");
    }

    @Tag("soak")
    @Test
    void everyVersionLinksTheClassesThatItMeets() throws Exception {
        for (String version : VERSIONS) {
            List<URL> path = List.of(url(CLASSES), url(jar(version)), source(FilePath.class), source(Logger.class));
            try (URLClassLoader loader =
                    new URLClassLoader(path.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
                for (String name : names()) {
                    String first = GUARDED.getOrDefault(name, VERSIONS.get(0));
                    if (VERSIONS.indexOf(first) <= VERSIONS.indexOf(version)) {
                        // Links and verifies the class, and finds the types of its methods as callers by reflection do.
                        Class<?> linked = Class.forName("io.ecfs.hadoop." + name, false, loader);
                        assertEquals(loader, linked.getClassLoader(), name);
                        assertDoesNotThrow(linked::getDeclaredMethods, name + " with Hadoop " + version);
                    }
                }
            }
        }
    }

    private static URL source(Class<?> type) {
        return type.getProtectionDomain().getCodeSource().getLocation();
    }

    private static Set<String> names() throws Exception {
        Set<String> names = new TreeSet<>();
        HadoopReferences.of(CLASSES).values().forEach(names::addAll);
        return names;
    }

    private static Path jar(String version) {
        Path jar = Path.of("target/hadoop-versions/hadoop-client-api-" + version + ".jar");
        assertTrue(Files.exists(jar), jar + " is missing: run './ecfs test --all HadoopVersionsTest'");
        return jar;
    }

    private static URL url(Path file) throws IOException {
        return file.toUri().toURL();
    }

    /** First versions by reference. */
    private static SortedMap<String, String> listed() throws IOException {
        SortedMap<String, String> since = new TreeMap<>();
        for (String line : resource().lines().toList()) {
            int blank = line.indexOf(' ');
            since.put(line.substring(blank + 1), line.substring(0, blank));
        }
        return since;
    }

    private static String resource() throws IOException {
        try (InputStream in = HadoopVersionsTest.class.getResourceAsStream("/contract/hadoop-references")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
