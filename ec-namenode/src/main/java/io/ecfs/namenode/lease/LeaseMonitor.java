package io.ecfs.namenode.lease;

import io.ecfs.layout.InodeId;
import io.ecfs.namenode.command.Command;
import io.ecfs.namenode.context.NamenodeContext;
import io.ecfs.namenode.context.Outcome;
import io.ecfs.namenode.context.Proposer;
import io.ecfs.namenode.namespace.NamespaceView;
import io.ecfs.namenode.namespace.inode.Lease;
import io.ecfs.namenode.state.MetadataView;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Monitors which writers are alive, on the leader. Renewals are soft state: a new leader counts every writer as renewed
 * when it began to lead; so it does when there are more clients than it can store, which extends leases a little. Files
 * whose writer was silent past the hard limit go into recovery. Owner thread: the namenode's event thread.
 */
public final class LeaseMonitor {
    private static final Logger LOG = LoggerFactory.getLogger(LeaseMonitor.class);
    private static final int PAGE = 1000;
    static final int MAX_CLIENTS = 200_000;

    private record Writer(String client, String user) implements Comparable<Writer> {
        private static final Comparator<Writer> ORDER =
                Comparator.comparing(Writer::client).thenComparing(Writer::user);

        @Override
        public int compareTo(Writer other) {
            return ORDER.compare(this, other);
        }
    }

    /**
     * The last sign of life of a writer.
     *
     * @param host from which it changed something last; empty: it has not since this leader began
     */
    private record Renewal(long atMillis, Optional<String> host) {}

    private final NamenodeContext context;
    private final Proposer proposer;
    private final GroupRecovery recovery;
    /** The time of renewal assumed for a writer that is not stored. */
    private long forgottenMillis;

    private final TreeMap<Writer, Renewal> renewed = new TreeMap<>();
    private final TreeSet<InodeId> proposed = new TreeSet<>();
    private long cursor;

    public LeaseMonitor(NamenodeContext context, Proposer proposer, GroupRecovery recovery) {
        this.context = context;
        this.proposer = proposer;
        this.recovery = recovery;
        this.forgottenMillis = context.nowMillis();
    }

    /** Renews the leases of a client, those of its own user only. */
    public void renew(String client, String user) {
        renew(client, user, Optional.empty());
    }

    /**
     * As {@link #renew(String, String)}.
     *
     * @param host of the connection; empty: as before
     */
    public void renew(String client, String user, Optional<String> host) {
        Writer writer = new Writer(client, user);
        if (renewed.size() >= MAX_CLIENTS && !renewed.containsKey(writer)) {
            LOG.warn("event=lease_renewals_forgotten clients={}", renewed.size());
            forgottenMillis = context.nowMillis();
            renewed.clear();
        }
        Optional<String> known =
                host.or(() -> Optional.ofNullable(renewed.get(writer)).flatMap(Renewal::host));
        renewed.put(writer, new Renewal(context.nowMillis(), known));
    }

    /** The host of the client that holds the lease, as far as this leader knows it. */
    public Optional<String> host(Lease lease) {
        return lease.user()
                .flatMap(user -> Optional.ofNullable(renewed.get(new Writer(lease.holder(), user))))
                .flatMap(Renewal::host);
    }

    /** The holder of the lease when it was silent past the soft limit, so that another client may take the file. */
    public Optional<String> expired(Lease lease) {
        return silentFor(lease, context.settings().leaseSoftLimit()) ? Optional.of(lease.holder()) : Optional.empty();
    }

    /**
     * Scans one page of the leases; the next tick takes the next page. Those of deleted files end when these are
     * purged.
     */
    public void tick() {
        List<Lease> page;
        List<Lease> toRecover;
        try (MetadataView view = context.facts().get()) {
            if (view.identity().isEmpty()) {
                return;
            }
            NamespaceView namespace = view.knownNamespace();
            page = namespace.leases(cursor, PAGE);
            toRecover = page.stream()
                    .filter(lease -> lease.recovering()
                            || silentFor(lease, context.settings().leaseHardLimit()))
                    .filter(lease -> namespace.status(lease.file()).isPresent())
                    .toList();
        }
        cursor = page.size() < PAGE ? 0 : page.get(page.size() - 1).file().value();
        for (Lease lease : toRecover) {
            if (lease.recovering()) {
                recovery.begin(lease);
            } else {
                beginRecovery(lease);
            }
        }
        renewed.values()
                .removeIf(last ->
                        context.passed(context.settings().leaseHardLimit().multipliedBy(2), last.atMillis()));
    }

    private boolean silentFor(Lease lease, Duration limit) {
        return context.passed(limit, renewedMillis(lease));
    }

    private long renewedMillis(Lease lease) {
        if (lease.user().isPresent()) {
            return Optional.ofNullable(
                            renewed.get(new Writer(lease.holder(), lease.user().get())))
                    .map(Renewal::atMillis)
                    .orElse(forgottenMillis);
        }
        // Taken at feature level 1: any client that knows the id renews it.
        return renewed.tailMap(new Writer(lease.holder(), "")).entrySet().stream()
                .takeWhile(entry -> entry.getKey().client().equals(lease.holder()))
                .mapToLong(entry -> entry.getValue().atMillis())
                .max()
                .orElse(forgottenMillis);
    }

    private void beginRecovery(Lease lease) {
        if (proposed.add(lease.file())) {
            LOG.info(
                    "event=lease_expired file={} user={}",
                    lease.file(),
                    lease.user().orElse("?"));
            proposer.propose(
                    new Command.BeginRecovery(context.epochMillis(), lease.file(), lease.holder()), outcome -> {
                        proposed.remove(lease.file());
                        if (outcome instanceof Outcome.Failed<?> failed) {
                            LOG.debug(
                                    "event=lease_recovery_refused file={} reason=\"{}\"",
                                    lease.file(),
                                    failed.reason().getMessage());
                        }
                    });
        }
    }
}
