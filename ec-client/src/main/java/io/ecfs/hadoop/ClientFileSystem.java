package io.ecfs.hadoop;

import io.ecfs.client.ClusterUri;
import io.ecfs.client.EcfsClient;
import io.ecfs.client.Identity;
import io.ecfs.client.base.ClientConfig;
import io.ecfs.client.name.ClusterName;
import io.ecfs.client.name.ClusterNames;
import io.ecfs.config.ConfigReader;
import io.ecfs.message.FilePath;
import io.ecfs.message.namespace.FileStatus;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.InvalidPathException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * The part of {@link EcfsFileSystem} for its client: its life cycle, and the translation of Hadoop's paths to the
 * cluster's.
 */
abstract class ClientFileSystem extends FileSystem {
    /** Prefix of Hadoop settings that become settings of {@link ClientConfig}. */
    public static final String CLIENT_SETTINGS = "fs.ecfs.client.";

    /** The client, given or made by {@link #initialize}. */
    EcfsClient client;

    private URI uri;
    private String user;
    private Path workingDirectory;

    @Override
    public String getScheme() {
        return ClusterUri.SCHEME;
    }

    @Override
    public void initialize(URI name, Configuration configuration) throws IOException {
        super.initialize(name, configuration);
        setConf(configuration);
        uri = authority(name);
        UserGroupInformation caller = UserGroupInformation.getCurrentUser();
        user = caller.getShortUserName();
        if (client == null) {
            client = EcfsClient.connect(
                    ClusterUri.resolve(uri, ClusterNames.ofThisProcess().after(new ConfiguredNames(configuration))),
                    clientConfig(configuration),
                    new Identity(user, Arrays.asList(caller.getGroupNames())));
        }
        workingDirectory = getHomeDirectory();
    }

    /** URI of the file system: a logical name in lower case, as Hadoop caches it, or addresses as they were given. */
    private static URI authority(URI name) {
        String given = name.getAuthority() == null ? "/" : name.getAuthority();
        return URI.create(
                name.getScheme() + "://" + (ClusterName.isName(given) ? given.toLowerCase(Locale.ROOT) : given));
    }

    private static ClientConfig clientConfig(Configuration configuration) {
        List<String> settings = configuration.getPropsWithPrefix(CLIENT_SETTINGS).entrySet().stream()
                .map(e -> e.getKey() + "=" + e.getValue())
                .toList();
        return ConfigReader.read(ClientConfig.class, "Hadoop's " + CLIENT_SETTINGS + "*", "", settings);
    }

    @Override
    public URI getUri() {
        return uri;
    }

    /** Returns null: there are no delegation tokens, and an authority is a logical name or several hosts. */
    @Override
    public String getCanonicalServiceName() {
        return null;
    }

    /** Status of a path; empty when it does not exist. */
    final Optional<FileStatus> find(FilePath path, Path shown) throws IOException {
        try {
            return Optional.of(HadoopFailures.awaitLookup(client.status(path), shown));
        } catch (FileNotFoundException e) {
            return Optional.empty();
        }
    }

    @Override
    public Path getHomeDirectory() {
        return makeQualified(new Path("/user/" + user));
    }

    @Override
    public void setWorkingDirectory(Path directory) {
        Path absolute = absolute(directory);
        filePath(absolute);
        workingDirectory = makeQualified(absolute);
    }

    @Override
    public Path getWorkingDirectory() {
        return workingDirectory;
    }

    @Override
    public void close() throws IOException {
        try {
            super.close();
        } finally {
            if (client != null) {
                client.close();
            }
        }
    }

    /**
     * Accepts paths without authority and those with this one's. As in HDFS, another form of the same cluster's URI is
     * another file system: a path with addresses is refused where the file system has the logical name.
     */
    @Override
    protected void checkPath(Path path) {
        super.checkPath(path);
    }

    /**
     * Makes a call that the leader answers after all earlier ones: the caller sees the changes that others made before.
     */
    @Override
    public void msync() throws IOException {
        HadoopFailures.await(client.status(FilePath.ROOT), new Path("/"));
    }

    private Path absolute(Path path) {
        return path.isAbsolute() ? path : new Path(workingDirectory, path);
    }

    /** Translates Hadoop's path to the cluster's. */
    final FilePath filePath(Path path) {
        checkPath(path);
        String text = absolute(path).toUri().getPath();
        try {
            return new FilePath(text);
        } catch (IllegalArgumentException e) {
            throw HadoopFailures.caused(new InvalidPathException(text, e.getMessage()), e);
        }
    }
}
