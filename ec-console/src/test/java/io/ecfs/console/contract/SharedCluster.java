package io.ecfs.console.contract;

import io.ecfs.client.ClusterUri;
import io.ecfs.client.EcfsClient;
import io.ecfs.config.ConfigReader;
import io.ecfs.console.cluster.TestCluster;
import io.ecfs.hadoop.EcfsContext;
import io.ecfs.layout.Policy;
import io.ecfs.message.FilePath;
import io.ecfs.webhdfs.WebHdfsConfig;
import io.ecfs.webhdfs.WebHdfsServer;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** One cluster for all classes of this JVM: it starts with the first of them and stops when the last is done. */
final class SharedCluster implements BeforeAllCallback {
    private static final String POLICY = "rs-6-3-64k";

    static final String ORDINARY_USER = "ordinary";

    private static final String NAME = "contract";

    /** Setting that resolves the cluster's logical name. */
    static final String KEY = "fs.ecfs.cluster." + NAME;

    private static final int DATANODES = 9;
    private static final ExtensionContext.Namespace NAMESPACE = ExtensionContext.Namespace.create(SharedCluster.class);
    private static final AtomicReference<Running> RUNNING = new AtomicReference<>();

    private record Running(TestCluster cluster, Path directory, WebHdfsServer web) implements AutoCloseable {
        static Running start() {
            try {
                HadoopEars.open();
                Path directory = Files.createTempDirectory("contract");
                TestCluster cluster = TestCluster.start(directory, POLICY, 1, DATANODES, settings());
                Running running = new Running(cluster, directory, webHdfs(cluster));
                RUNNING.set(running);
                return running;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private static WebHdfsServer webHdfs(TestCluster cluster) throws IOException {
            return WebHdfsServer.start(ConfigReader.read(
                    WebHdfsConfig.class,
                    "the suites' settings",
                    "cluster: \"" + cluster.uri() + "\"",
                    List.of("listen=127.0.0.1:0", "client.pack.on=false")));
        }

        @Override
        public void close() throws IOException {
            FileSystem.closeAll();
            web.close();
            cluster.close();
            try (Stream<Path> files = Files.walk(directory)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        context.getRoot()
                .getStore(NAMESPACE)
                .getOrComputeIfAbsent(Running.class, key -> Running.start(), Running.class);
    }

    /** The ordinary user has the groups that Hadoop's tests give it, since its word is not believed. */
    private static String[] settings() {
        return Stream.concat(
                        Stream.of(TestCluster.usualLeases()),
                        Stream.of("namenode.groups.users." + ORDINARY_USER + "=users"))
                .toArray(String[]::new);
    }

    static URI uri() {
        return guarded(URI.create(ClusterUri.SCHEME + "://" + NAME));
    }

    /** Its namenodes, as the configuration has them under {@link #KEY}. */
    static String namenodes() {
        return RUNNING.get().cluster().uri().substring((ClusterUri.SCHEME + "://").length());
    }

    /** The same cluster by WebHDFS. */
    static URI webHdfs() {
        return guarded(webHdfsOfOurs());
    }

    private static URI webHdfsOfOurs() {
        return URI.create("webhdfs://" + RUNNING.get().web().address());
    }

    /** From now on every new file has this policy, wherever a suite puts it. */
    static void codeWith(String policy) throws IOException {
        Await.result(RUNNING.get().cluster().client().setPolicy(FilePath.ROOT, Optional.of(Policy.parse(policy))));
    }

    /** Somebody whom permissions bind, with a home directory. */
    static UserGroupInformation ordinaryUser() throws IOException {
        EcfsClient superuser = RUNNING.get().cluster().client();
        FilePath home = new FilePath("/user/" + ORDINARY_USER);
        Await.result(superuser.mkdirs(home, 0755, true));
        Await.result(superuser.setOwner(home, Optional.of(ORDINARY_USER), Optional.empty()));
        return UserGroupInformation.createUserForTesting(ORDINARY_USER, new String[] {"users"});
    }

    /** Settings of a job that knows no other file system. */
    static Configuration configuration() {
        return configure(new Configuration());
    }

    static Configuration configure(Configuration configuration) {
        configuration.set(FileSystem.FS_DEFAULT_NAME_KEY, uri().toString());
        configuration.set(KEY, namenodes());
        configuration.set("fs.AbstractFileSystem.ecfs.impl", EcfsContext.class.getName());
        // With packs here, and without in the suites of older Hadoops and over WebHDFS.
        configuration.setBoolean("fs.ecfs.client.pack.on", true);
        // DistCp's jobs take less than the second after which Hadoop looks whether they have ended.
        configuration.set("mapreduce.client.progressmonitor.pollinterval", "20");
        return configuration;
    }

    /**
     * @throws IllegalArgumentException for a file system that is not ours: these suites delete and rename all that it
     *     has
     */
    static URI guarded(URI uri) {
        boolean ours = ClusterUri.SCHEME.equals(uri.getScheme())
                || (webHdfsOfOurs().getScheme().equals(uri.getScheme())
                        && webHdfsOfOurs().getAuthority().equals(uri.getAuthority()));
        if (!ours) {
            throw new IllegalArgumentException(
                    "these suites destroy the file system that they run on, so they run on nothing but "
                            + ClusterUri.SCHEME + ":// and " + webHdfsOfOurs() + ", not on " + uri);
        }
        return uri;
    }
}
