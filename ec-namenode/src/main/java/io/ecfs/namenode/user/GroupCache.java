package io.ecfs.namenode.user;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ecfs.env.Clock;
import io.ecfs.env.Environment;
import io.ecfs.env.Workers;
import io.ecfs.error.EcfsException;
import io.ecfs.message.PrincipalName;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Cache of the groups of users (Hadoop: Groups). A user's first request waits for the source; later ones are answered
 * at once, and an entry older than {@link #FRESH} is refreshed meanwhile. That a user has no groups is cached too,
 * apart, so that made-up users evict no others. When the source cannot answer, a user has the groups known before, or
 * none, for {@link #RETRY}; a bug of the source fails the requests that wait for it, and nothing is cached. For use by
 * any thread.
 */
public final class GroupCache implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(GroupCache.class);
    static final Duration FRESH = Duration.ofMinutes(5);
    /** Age from which an entry is not used: the request waits for the source. */
    static final Duration USABLE = FRESH.multipliedBy(2);

    static final Duration RETRY = Duration.ofSeconds(30);
    /** Of users with groups, and as many of users without. */
    static final int MOST_USERS = 10_000;

    static final int MOST_GROUPS = 64;
    private static final int THREADS = 2;
    private static final int MOST_WAITING = 1000;

    private final GroupSource source;
    private final Clock clock;
    private final Workers workers;

    @GuardedBy("this")
    private final Map<String, Known> members = new Recent();

    @GuardedBy("this")
    private final Map<String, Known> strangers = new Recent();

    @GuardedBy("this")
    private final Map<String, CompletableFuture<List<String>>> asked = new HashMap<>();

    /** @param nanos when the source answered, or is taken to have */
    private record Known(List<String> groups, long nanos) {}

    /** Evicts the least recently used user. */
    private static final class Recent extends LinkedHashMap<String, Known> {
        private static final long serialVersionUID = 1;

        Recent() {
            super(16, 0.75f, true);
        }

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Known> eldest) {
            return size() > MOST_USERS;
        }
    }

    public GroupCache(GroupSource source, Environment environment, String name) {
        this.source = source;
        this.clock = environment.clock();
        this.workers = environment.threads().workers(name + "-groups", THREADS, MOST_WAITING);
    }

    /** Fails with {@code BUSY} when too many users wait for the source. */
    public CompletableFuture<List<String>> of(String user) {
        if (!PrincipalName.valid(user)) {
            return CompletableFuture.completedFuture(List.of());
        }
        CompletableFuture<List<String>> answer;
        synchronized (this) {
            Known known = find(user);
            long age = known == null ? Long.MAX_VALUE : clock.nanos() - known.nanos();
            if (age < FRESH.toNanos()) {
                return CompletableFuture.completedFuture(known.groups());
            }
            boolean begins = !asked.containsKey(user);
            answer = asked.computeIfAbsent(user, u -> new CompletableFuture<>());
            if (begins) {
                ask(user, answer);
            }
            if (age < USABLE.toNanos()) {
                if (begins) {
                    logFailure(user, answer);
                }
                return CompletableFuture.completedFuture(known.groups());
            }
        }
        return answer;
    }

    private void ask(String user, CompletableFuture<List<String>> answer) {
        CompletableFuture<?> unused = workers.submit(() -> lookUp(user)).whenComplete((groups, refused) -> {
            synchronized (this) {
                asked.remove(user);
            }
            if (refused != null) {
                answer.completeExceptionally(refused);
            } else {
                answer.complete(groups);
            }
        });
    }

    /** Reports a failed refresh for which no request waits. */
    private static void logFailure(String user, CompletableFuture<List<String>> answer) {
        CompletableFuture<?> unused = answer.whenComplete((groups, failure) -> {
            if (failure != null && !(failure instanceof EcfsException)) {
                LOG.error("event=groups_lookup_failed user={}", user, failure);
            }
        });
    }

    private List<String> lookUp(String user) {
        List<String> found;
        boolean answered = true;
        try {
            found = source.groupsOf(user).stream()
                    .filter(PrincipalName::valid)
                    .distinct()
                    .limit(MOST_GROUPS)
                    .toList();
        } catch (IOException e) {
            LOG.warn("event=groups_unknown user={} reason=\"{}\"", user, e.getMessage());
            answered = false;
            synchronized (this) {
                Known before = find(user);
                found = before == null ? List.of() : before.groups();
            }
        }
        long nanos =
                answered ? clock.nanos() : clock.nanos() - FRESH.minus(RETRY).toNanos();
        synchronized (this) {
            members.remove(user);
            strangers.remove(user);
            (found.isEmpty() ? strangers : members).put(user, new Known(found, nanos));
        }
        return found;
    }

    @GuardedBy("this")
    private Known find(String user) {
        Known known = members.get(user);
        return known == null ? strangers.get(user) : known;
    }

    @Override
    public void close() {
        workers.close();
    }
}
