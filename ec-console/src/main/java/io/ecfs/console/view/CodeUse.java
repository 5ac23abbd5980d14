package io.ecfs.console.view;

import io.ecfs.client.EcfsClient;
import io.ecfs.client.base.Await;
import io.ecfs.layout.Policy;
import io.ecfs.message.namespace.NamespaceRequest.SumGroups;
import io.ecfs.message.report.ClusterReport;
import io.ecfs.message.report.GroupSums;
import java.io.IOException;
import java.util.List;
import java.util.TreeMap;

/**
 * What each policy's files hold and what datanodes told to keep for them, for {@code ecfs ec usage}: no estimate, the
 * lengths are those of the chunks there are.
 *
 * @param whole false: the cluster has more groups than are summed for one answer, and these are the first
 * @param groups that were summed
 * @param userBytes in them
 * @param storedBytes of their chunks, parity included, checksums not
 * @param heldBytes by all volumes of datanodes that are not dead, also for what is being written, waits to be deleted,
 *     or was not summed
 */
public record CodeUse(
        boolean whole, long groups, long userBytes, long storedBytes, long heldBytes, List<PolicyUse> policies) {
    /** Of {@link SumGroups#MAX_PAGE} groups each. */
    private static final int MOST_PAGES = 2000;

    /**
     * @param measured bytes stored for each user byte; 0 while there are none
     * @param nominal n/k
     * @param lackingChunks that no datanode told to have
     */
    public record PolicyUse(
            String policy,
            long groups,
            long userBytes,
            long storedBytes,
            double measured,
            double nominal,
            long lackingChunks) {
        private static PolicyUse of(GroupSums.Sum sum) {
            Policy policy = sum.policy();
            return new PolicyUse(
                    policy.name(),
                    sum.groups(),
                    sum.userBytes(),
                    sum.storedBytes(),
                    sum.userBytes() == 0 ? 0 : sum.storedBytes() / (double) sum.userBytes(),
                    policy.chunks() / (double) policy.dataChunks(),
                    sum.groups() * policy.chunks() - sum.chunks());
        }
    }

    public static CodeUse ask(EcfsClient client) throws IOException {
        TreeMap<String, GroupSums.Sum> sums = new TreeMap<>();
        long after = 0;
        int pages = 0;
        do {
            GroupSums page = Await.result(client.admin().sumGroups(after, SumGroups.MAX_PAGE));
            page.sums().forEach(sum -> sums.merge(sum.policy().name(), sum, GroupSums.Sum::plus));
            after = page.next();
        } while (after > 0 && ++pages < MOST_PAGES);
        return new CodeUse(
                after == 0,
                sums.values().stream().mapToLong(GroupSums.Sum::groups).sum(),
                sums.values().stream().mapToLong(GroupSums.Sum::userBytes).sum(),
                sums.values().stream().mapToLong(GroupSums.Sum::storedBytes).sum(),
                Await.result(client.admin().report()).datanodes().stream()
                        .filter(datanode -> datanode.state() != ClusterReport.DatanodeState.DEAD)
                        .flatMap(datanode -> datanode.volumes().stream())
                        .mapToLong(ClusterReport.Volume::usedBytes)
                        .sum(),
                sums.values().stream().map(PolicyUse::of).toList());
    }
}
