package io.ecfs.namenode.server;

import io.ecfs.layout.InodeId;
import io.ecfs.namenode.command.Command;
import io.ecfs.namenode.namespace.Lease;
import io.ecfs.namenode.namespace.NamespaceView;
import io.ecfs.namenode.state.MetadataView;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Knows which writers still live, on the leader. Renewals are soft state: a new leader counts every writer as heard when it began to
 * lead; so it does when there are more clients than it can remember, which keeps leases a little longer. Files whose writer was
 * silent past the hard limit go into recovery. Owner thread: the namenode's event thread.
 */
final class LeaseMonitor {
    private static final Logger LOG = LoggerFactory.getLogger(LeaseMonitor.class);
    private static final int PAGE = 1000;
    static final int MAX_CLIENTS = 200_000;

    private final Surroundings around;
    private final Proposer proposer;
    private final GroupRecovery recovery;
    /** When a writer that is not remembered counts as heard. */
    private long forgottenMillis;

    private final Map<String, Long> renewed = new TreeMap<>();
    private final TreeSet<InodeId> proposed = new TreeSet<>();
    private long cursor;

    LeaseMonitor(Surroundings around, Proposer proposer, GroupRecovery recovery) {
        this.around = around;
        this.proposer = proposer;
        this.recovery = recovery;
        this.forgottenMillis = around.nowMillis();
    }

    void renew(String client) {
        if (renewed.size() >= MAX_CLIENTS && !renewed.containsKey(client)) {
            LOG.warn("event=lease_renewals_forgotten clients={}", renewed.size());
            forgottenMillis = around.nowMillis();
            renewed.clear();
        }
        renewed.put(client, around.nowMillis());
    }

    /** The holder of the lease when it was silent past the soft limit, so that another client may take the file. */
    Optional<String> expired(Lease lease) {
        return silentFor(lease.holder(), around.settings().leaseSoftLimit())
                ? Optional.of(lease.holder())
                : Optional.empty();
    }

    /** Looks at one page of the leases; page by page it comes round. Those of deleted files end when these are purged. */
    void tick() {
        List<Lease> page;
        List<Lease> toRecover;
        try (MetadataView view = around.facts().get()) {
            if (view.identity().isEmpty()) {
                return;
            }
            NamespaceView namespace = view.knownNamespace();
            page = namespace.leases(cursor, PAGE);
            toRecover = page.stream()
                    .filter(lease -> lease.recovering()
                            || silentFor(lease.holder(), around.settings().leaseHardLimit()))
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
                .removeIf(at -> around.passed(around.settings().leaseHardLimit().multipliedBy(2), at));
    }

    private boolean silentFor(String holder, Duration limit) {
        return around.passed(limit, renewed.getOrDefault(holder, forgottenMillis));
    }

    private void beginRecovery(Lease lease) {
        if (proposed.add(lease.file())) {
            LOG.info("event=lease_expired file={} holder={}", lease.file(), lease.holder());
            proposer.propose(
                    new Command.BeginRecovery(around.epochMillis(), lease.file(), lease.holder()),
                    (applied, failure) -> {
                        proposed.remove(lease.file());
                        if (failure != null) {
                            LOG.debug(
                                    "event=lease_recovery_refused file={} reason=\"{}\"",
                                    lease.file(),
                                    failure.getMessage());
                        }
                    });
        }
    }
}
