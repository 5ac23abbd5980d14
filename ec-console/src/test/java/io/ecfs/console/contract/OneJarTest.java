package io.ecfs.console.contract;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The jar that is dropped into a Hadoop or Spark installation: what is in it, and that it is enough. */
@Tag("contract")
@ExtendWith(SharedCluster.class)
class OneJarTest {
    private static final Path CLIENT = Path.of("../ec-client/target");
    private static final Path HADOOP = Path.of("target/hadoop-client");

    private static Path jar() throws IOException {
        assertTrue(Files.isDirectory(CLIENT), "ec-client is not built");
        try (Stream<Path> files = Files.list(CLIENT)) {
            return files.filter(file -> file.toString().endsWith("-hadoop.jar"))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError(
                            "ec-client's jar for Hadoop is made by 'mvn package': run the tests with 'mvn verify'"));
        }
    }

    @Test
    void itHoldsOurPackagesAndNobodyElses() throws IOException {
        try (JarFile jar = new JarFile(jar().toFile())) {
            List<String> strangers = jar.stream()
                    .map(ZipEntry::getName)
                    .map(name -> name.replaceFirst("^META-INF/versions/[0-9]+/", ""))
                    .filter(name -> name.endsWith(".class") && !name.startsWith("io/ecfs/"))
                    .toList();
            assertEquals(List.of(), strangers);
            for (String heavy :
                    List.of("org/apache/ratis", "org/rocksdb", "org/springframework", "namenode", "org/slf4j")) {
                assertTrue(jar.stream().noneMatch(entry -> entry.getName().contains(heavy)), heavy);
            }
        }
    }

    @Test
    void itHasItsLicenceAndThoseOfWhatIsInIt() throws IOException {
        try (JarFile jar = new JarFile(jar().toFile())) {
            assertTrue(text(jar, "LICENSE").contains("Apache License"), "the licence");
            for (String owner : List.of("The ECFS authors", "Netty", "Jackson")) {
                assertTrue(text(jar, "NOTICE").contains(owner), owner);
            }
            for (String part : List.of("Netty", "JCTools", "SLF4J", "Jackson", "SnakeYAML", "Permission is hereby")) {
                assertTrue(text(jar, "THIRD-PARTY").contains(part), part);
            }
        }
    }

    private static String text(JarFile jar, String name) throws IOException {
        ZipEntry entry = jar.getEntry("META-INF/" + name);
        assertTrue(entry != null, "no META-INF/" + name);
        try (InputStream in = jar.getInputStream(entry)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void withHadoopsShadedClientItIsEnoughToWriteAndRead() throws Exception {
        List<URL> urls = new ArrayList<>();
        urls.add(jar().toUri().toURL());
        try (Stream<Path> files = Files.list(HADOOP)) {
            for (Path file : files.toList()) {
                urls.add(file.toUri().toURL());
            }
        }
        // Of SLF4J and what else Hadoop finds in an installation: only the logging face.
        urls.add(org.slf4j.Logger.class.getProtectionDomain().getCodeSource().getLocation());
        byte[] bytes = new byte[1_000_003];
        new Random(7).nextBytes(bytes);
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        // Not closed: Hadoop's shutdown hook loads from it when this JVM ends.
        ClassLoader job = new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
        try {
            Thread.currentThread().setContextClassLoader(job);
            Class<?> configuration = job.loadClass("org.apache.hadoop.conf.Configuration");
            Class<?> fileSystem = job.loadClass("org.apache.hadoop.fs.FileSystem");
            Class<?> path = job.loadClass("org.apache.hadoop.fs.Path");
            Object settings = configuration.getConstructor().newInstance();
            configuration
                    .getMethod("set", String.class, String.class)
                    .invoke(settings, SharedCluster.KEY, SharedCluster.namenodes());
            Object file = path.getConstructor(String.class).newInstance("/one-jar/file");
            try (AutoCloseable fs = (AutoCloseable) fileSystem
                    .getMethod("newInstance", URI.class, configuration)
                    .invoke(null, SharedCluster.uri(), settings)) {
                assertEquals(job, fs.getClass().getClassLoader());
                try (OutputStream out =
                        (OutputStream) fileSystem.getMethod("create", path).invoke(fs, file)) {
                    out.write(bytes);
                }
                try (InputStream in =
                        (InputStream) fileSystem.getMethod("open", path).invoke(fs, file)) {
                    assertArrayEquals(bytes, in.readAllBytes());
                }
            }
        } finally {
            Thread.currentThread().setContextClassLoader(before);
        }
    }
}
