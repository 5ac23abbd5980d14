package io.ecfs.namenode.namespace;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.Policy;
import io.ecfs.layout.Ring;
import io.ecfs.layout.RingId;
import io.ecfs.message.FilePath;
import io.ecfs.message.report.ClusterEvent;
import io.ecfs.namenode.cluster.Datanodes;
import io.ecfs.namenode.cluster.RingFacts;
import io.ecfs.namenode.cluster.Rings;
import io.ecfs.namenode.history.History;
import io.ecfs.namenode.history.RingChange;
import io.ecfs.namenode.namespace.inode.DirectorySettings;
import io.ecfs.namenode.namespace.inode.Inherited;
import io.ecfs.namenode.placement.RingFit;
import io.ecfs.namenode.store.KeyValueStore.Transaction;
import io.ecfs.namenode.store.KeyValueStore.View;
import java.util.Optional;

/** Directories that name a ring: it is to serve their policy, and counts them. */
final class RingDirectories {
    private RingDirectories() {}

    /** @throws EcfsException {@code NOT_FOUND} with the name that was probably meant */
    static Optional<RingFacts> named(View view, Optional<String> name) throws EcfsException {
        if (name.isEmpty()) {
            return Optional.empty();
        }
        RingFacts found = Rings.named(view, name.get());
        if (found.dropping()) {
            throw new EcfsException(
                    ErrorCode.INVALID_ARGUMENT, "ring " + name.get() + " is being dropped: name another one, or none");
        }
        return Optional.of(found);
    }

    /**
     * Has the ring that holds there serve the policy: an adaptive one gets fewer writers if the superuser calls.
     *
     * @param settings that the directory is to have
     * @throws EcfsException {@code INVALID_ARGUMENT} when it cannot
     */
    static void serve(Scope scope, FilePath path, DirectorySettings settings) throws EcfsException {
        Inherited above = path.equals(FilePath.ROOT)
                ? Inherited.ofPolicy(scope.identity().defaultPolicy())
                : scope.resolve(path.parent()).inherited(scope.identity());
        Optional<RingFacts> found = settings.ring().or(above::ring).flatMap(id -> Rings.find(scope.transaction(), id));
        if (found.isEmpty()) {
            return;
        }
        RingFacts ring = found.get();
        Policy policy = settings.policy().orElse(above.policy());
        int most = Ring.mostWriters(policy.code(), ring.shape().colours());
        boolean fewer = scope.permissions().superuser()
                && ring.adaptive()
                && most >= 1
                && ring.shape().writers() > most;
        RingFacts serving = fewer ? ring.writing(most).next() : ring;
        check(scope.transaction(), serving, policy);
        if (fewer) {
            RingChange change = RingChange.of(scope.transaction(), ring);
            Rings.put(scope.transaction(), serving);
            change.record(
                    scope.transaction(),
                    scope.now(),
                    serving,
                    scope.call().caller().who());
        }
    }

    private static void check(View view, RingFacts ring, Policy policy) throws EcfsException {
        RingFit fit = ring.fit(Rings.members(view, ring.ring()), volume -> Datanodes.ownerOf(view, volume));
        Optional<String> refusal = fit.refusal(policy);
        if (refusal.isPresent()) {
            throw new EcfsException(ErrorCode.INVALID_ARGUMENT, refusal.get());
        }
    }

    /** Counts a directory with these settings under its ring, or no more. */
    static void count(Transaction transaction, DirectorySettings settings, long change) {
        String policy = settings.policy().map(Policy::name).orElse("");
        settings.ring().ifPresent(ring -> Rings.addDirectories(transaction, ring, policy, change));
    }

    static void record(Scope scope, FilePath path, Optional<RingId> before, Optional<RingId> now) {
        if (!before.equals(now)) {
            History.record(
                    scope.transaction(),
                    scope.now(),
                    new ClusterEvent.DirectoryRingChanged(
                            path.text(),
                            name(scope.transaction(), before),
                            name(scope.transaction(), now),
                            scope.call().caller().who()));
        }
    }

    private static Optional<String> name(View view, Optional<RingId> ring) {
        return ring.flatMap(id -> Rings.find(view, id)).map(RingFacts::name);
    }
}
