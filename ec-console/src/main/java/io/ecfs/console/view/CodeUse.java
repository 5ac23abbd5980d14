package io.ecfs.console.view;

import io.ecfs.client.EcfsClient;
import io.ecfs.layout.Policy;
import io.ecfs.message.namespace.NamespaceRequest.SumGroups;
import io.ecfs.message.report.ClusterReport;
import io.ecfs.message.report.GroupSums;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.util.List;
import java.util.TreeMap;

/**
 * Sealed bytes of each policy and the bytes of chunks that datanodes report for them, for {@code ecfs ec usage}.
 *
 * @param whole false when the cluster has more groups than are summed for one answer, and these are the first
 * @param groups number of summed groups
 * @param userBytes in these groups
 * @param storedBytes of their chunks, including parity, without checksums
 * @param heldBytes used on all volumes of datanodes that are not dead, including chunks that are being written, wait to
 *     be deleted, or were not summed
 */
public record CodeUse(
        boolean whole, long groups, long userBytes, long storedBytes, long heldBytes, List<PolicyUse> policies) {
    /** Of {@link SumGroups#MAX_PAGE} groups each. */
    private static final int MOST_PAGES = 2000;

    /**
     * @param measured bytes stored for each user byte; 0 while there are none
     * @param nominal n/k
     * @param lackingChunks missing chunks: no datanode reports them
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
