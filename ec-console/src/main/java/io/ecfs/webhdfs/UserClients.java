package io.ecfs.webhdfs;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ecfs.client.ClusterUri;
import io.ecfs.client.EcfsClient;
import io.ecfs.client.Identity;
import io.ecfs.client.base.ClientConfig;
import io.ecfs.hadoop.EcfsFileSystem;
import io.ecfs.webhdfs.Callers.Caller;
import java.io.IOException;
import java.net.URI;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.security.UserGroupInformation;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A client for each user who has requests, and for each pair of a proxy user and its user, so that the namenodes check
 * each by its own rights. At most {@link WebHdfsConfig#users} exist; the one that was unused for longest is closed for
 * a new user. Safe for use by several threads.
 */
final class UserClients implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(UserClients.class);

    private final WebHdfsConfig config;
    private final Configuration hadoop = new Configuration();

    /** In the order of their last use. */
    @GuardedBy("this")
    private final Map<Caller, Use> byCaller = new LinkedHashMap<>(16, 0.75f, true);

    @GuardedBy("this")
    private boolean closed;

    UserClients(WebHdfsConfig config) {
        this.config = config;
        // The permissions of requests are masked already, by the umask of who sends them.
        hadoop.set(CommonConfigurationKeys.FS_PERMISSIONS_UMASK_KEY, "000");
    }

    /** A user's client, for one request; closing this gives it back. */
    final class Use implements AutoCloseable {
        final EcfsClient client;
        final EcfsFileSystem files;
        private int requests;

        private Use(EcfsClient client, EcfsFileSystem files) {
            this.client = client;
            this.files = files;
        }

        @Override
        public void close() {
            synchronized (UserClients.this) {
                requests--;
            }
        }

        private void end() {
            try {
                files.close();
            } catch (IOException | RuntimeException e) {
                LOG.warn("event=user_client_close_failed reason=\"{}\"", e.getMessage());
            }
        }
    }

    /**
     * @throws RetriableException when the user has as many requests at the moment as one may have, or as many users as
     *     may be have some
     */
    Use of(Caller caller) throws IOException {
        Optional<Use> acquired = acquire(caller);
        if (acquired.isPresent()) {
            return acquired.get();
        }
        // Hadoop refuses names that are none of its own; the resolver may ask DNS. Neither belongs under the lock.
        UserGroupInformation hadoopUser = UserGroupInformation.createRemoteUser(caller.user());
        ClusterUri cluster = ClusterUri.resolve(config.cluster());
        Optional<Use> unused = Optional.empty();
        try {
            synchronized (this) {
                if (!byCaller.containsKey(caller)) {
                    unused = makeRoom();
                    byCaller.put(caller, open(caller, hadoopUser, cluster));
                }
                return acquire(caller).orElseThrow();
            }
        } finally {
            unused.ifPresent(Use::end);
        }
    }

    /** Counts a request of the caller; empty when it has no client yet. */
    private synchronized Optional<Use> acquire(Caller caller) throws IOException {
        requireShare(caller.user());
        Optional<Use> use = Optional.ofNullable(byCaller.get(caller));
        use.ifPresent(known -> known.requests++);
        return use;
    }

    @GuardedBy("this")
    private void requireShare(String user) throws IOException {
        int requests = byCaller.entrySet().stream()
                .filter(other -> other.getKey().user().equals(user))
                .mapToInt(other -> other.getValue().requests)
                .sum();
        if (requests >= config.userTransfers()) {
            throw new RetriableException(requests + " requests of " + user
                    + " are under way, and no more of one user are served at once: try again");
        }
    }

    @GuardedBy("this")
    private Optional<Use> makeRoom() throws IOException {
        if (closed) {
            throw new RetriableException("WebHDFS stops");
        }
        if (byCaller.size() < config.users()) {
            return Optional.empty();
        }
        for (Iterator<Use> uses = byCaller.values().iterator(); uses.hasNext(); ) {
            Use use = uses.next();
            if (use.requests == 0) {
                uses.remove();
                return Optional.of(use);
            }
        }
        throw new RetriableException(
                "requests of " + config.users() + " users are under way, and no more are served at once: try again");
    }

    /** A context of the configuration stays, unless a proxy is to be named. */
    private ClientConfig client(Caller caller) {
        boolean keepsConfigured =
                caller.proxy().isEmpty() && !config.client().context().isEmpty();
        return keepsConfigured ? config.client() : config.client().with("context=" + caller.context());
    }

    private Use open(Caller caller, UserGroupInformation hadoopUser, ClusterUri cluster) throws IOException {
        String user = caller.user();
        EcfsClient client = EcfsClient.connect(cluster, client(caller), new Identity(user, List.of(user)));
        EcfsFileSystem files = new EcfsFileSystem(client);
        try {
            hadoopUser.doAs((PrivilegedExceptionAction<Void>) () -> {
                files.initialize(URI.create(cluster.toString()), hadoop);
                return null;
            });
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            client.close();
            throw new IOException("interrupted while a client was opened for " + user, e);
        } catch (IOException | RuntimeException e) {
            client.close();
            throw e;
        }
        return new Use(client, files);
    }

    @Override
    public void close() {
        List<Use> all;
        synchronized (this) {
            closed = true;
            all = new ArrayList<>(byCaller.values());
            byCaller.clear();
        }
        all.forEach(Use::end);
    }
}
