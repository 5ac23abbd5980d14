package io.ecfs.client;

import io.ecfs.client.base.ClientConfig;
import io.ecfs.client.base.NamenodeCaller;
import io.ecfs.env.Cancellable;
import io.ecfs.env.Scheduler;
import io.ecfs.error.EcfsException;
import io.ecfs.message.namespace.NamespaceReply;
import io.ecfs.message.namespace.NamespaceRequest;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the leases of one client alive while it has files open for writing, one call for all of them, and the tokens of
 * what they write. Owned by the owner thread.
 */
final class LeaseRenewer {
    private static final Logger LOG = LoggerFactory.getLogger(LeaseRenewer.class);

    private final String client;
    private final NamenodeCaller namenode;
    private final Scheduler owner;
    private final ClientConfig config;
    private final Runnable tokens;
    private int open;
    private boolean underWay;
    private Optional<Cancellable> timer = Optional.empty();

    /** @param tokens renews those that are due */
    LeaseRenewer(String client, NamenodeCaller namenode, Scheduler owner, ClientConfig config, Runnable tokens) {
        this.tokens = tokens;
        this.client = client;
        this.namenode = namenode;
        this.owner = owner;
        this.config = config;
    }

    void opened() {
        owner.execute(() -> {
            if (open++ == 0) {
                timer = Optional.of(
                        owner.scheduleWithFixedDelay(config.leaseRenewal(), config.leaseRenewal(), this::renew));
            }
        });
    }

    void closed() {
        owner.execute(() -> {
            if (--open == 0) {
                timer.ifPresent(Cancellable::cancel);
                timer = Optional.empty();
            }
        });
    }

    private void renew() {
        tokens.run();
        if (underWay) {
            return;
        }
        underWay = true;
        namenode.call(new NamespaceRequest.RenewLease(client), NamespaceReply.Done.class)
                .whenComplete((done, failure) -> owner.execute(() -> {
                    underWay = false;
                    if (failure != null) {
                        LOG.warn(
                                "event=lease_not_renewed client={} files={} reason=\"{}\"",
                                client,
                                open,
                                EcfsException.of(failure).getMessage());
                    }
                }));
    }
}
