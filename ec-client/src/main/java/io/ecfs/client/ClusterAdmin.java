package io.ecfs.client;

import io.ecfs.client.base.NamenodeCaller;
import io.ecfs.client.base.RequestIds;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.Policy;
import io.ecfs.message.Address;
import io.ecfs.message.AdminState;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.FilePath;
import io.ecfs.message.RequestId;
import io.ecfs.message.Throttles;
import io.ecfs.message.VolumeId;
import io.ecfs.message.namespace.ConversionRule;
import io.ecfs.message.namespace.NamespaceReply;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.message.report.AuditPlace;
import io.ecfs.message.report.BalanceReport;
import io.ecfs.message.report.ClusterReport;
import io.ecfs.message.report.Conversion;
import io.ecfs.message.report.GroupFile;
import io.ecfs.message.report.GroupSums;
import io.ecfs.message.report.HotGroups;
import io.ecfs.message.report.Incident;
import io.ecfs.message.report.LoadReport;
import io.ecfs.message.report.MoverReport;
import io.ecfs.message.report.PackUse;
import io.ecfs.message.report.WriteReport;
import io.ecfs.message.ring.RingState;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Queries and commands of operators to a cluster. As with {@link EcfsClient}, every call returns a future that
 * completes with the answer or with {@link io.ecfs.error.EcfsException}. Safe for use by several threads.
 */
public final class ClusterAdmin {
    private final NamenodeCaller namenode;
    private final RequestIds requests;

    ClusterAdmin(NamenodeCaller namenode, RequestIds requests) {
        this.namenode = namenode;
        this.requests = requests;
    }

    /** Namenodes, datanodes with their volumes, and groups by health, as the leader sees them now. */
    public CompletableFuture<ClusterReport> report() {
        return namenode.call(new NamespaceRequest.GetReport(), NamespaceReply.Report.class)
                .thenApply(NamespaceReply.Report::report);
    }

    /** Events of the cluster's history behind the one with this number; see {@link NamespaceRequest.ListEvents}. */
    public CompletableFuture<NamespaceReply.Events> events(long after, int limit) {
        return namenode.call(new NamespaceRequest.ListEvents(after, limit), NamespaceReply.Events.class);
    }

    /**
     * Losses of chunks and their repair, behind the one with this number; see {@link NamespaceRequest.ListIncidents}.
     */
    public CompletableFuture<NamespaceReply.Incidents> incidents(long after, int limit) {
        return namenode.call(new NamespaceRequest.ListIncidents(after, limit), NamespaceReply.Incidents.class);
    }

    /** All incidents behind this number, page after page. */
    public CompletableFuture<List<Incident>> allIncidents(long after) {
        int most = NamespaceRequest.ListIncidents.MAX_PAGE;
        return incidents(after, most).thenCompose(page -> {
            List<Incident> first = page.incidents();
            return first.size() < most
                    ? CompletableFuture.completedFuture(first)
                    : allIncidents(first.get(most - 1).id())
                            .thenApply(rest ->
                                    Stream.concat(first.stream(), rest.stream()).toList());
        });
    }

    /** The chunks of an incident; see {@link NamespaceRequest.ListRepairs}. */
    public CompletableFuture<NamespaceReply.Repairs> repairs(
            long incident, long afterGroup, int afterIndex, int limit) {
        return namenode.call(
                new NamespaceRequest.ListRepairs(incident, afterGroup, afterIndex, limit),
                NamespaceReply.Repairs.class);
    }

    /** A page of one namenode's audit log, whether it leads or not; see {@link NamespaceRequest.ListAudit}. */
    public CompletableFuture<NamespaceReply.AuditLines> audit(
            Address of, Optional<AuditPlace> before, String containing, int limit) {
        return namenode.callOne(
                of, new NamespaceRequest.ListAudit(before, containing, limit), NamespaceReply.AuditLines.class);
    }

    /** Files that have bytes in some groups; see {@link NamespaceRequest.FindGroups}. */
    public CompletableFuture<List<GroupFile>> groupFiles(List<GroupId> groups) {
        return namenode.call(new NamespaceRequest.FindGroups(groups), NamespaceReply.GroupFiles.class)
                .thenApply(NamespaceReply.GroupFiles::files);
    }

    /** Use of those groups that small files share; see {@link NamespaceRequest.FindPacks}. */
    public CompletableFuture<List<PackUse>> packs(List<GroupId> groups) {
        return namenode.call(new NamespaceRequest.FindPacks(groups), NamespaceReply.Packs.class)
                .thenApply(NamespaceReply.Packs::packs);
    }

    /** The same with paths of their files, of each pack at most {@code paths}. */
    public CompletableFuture<List<PackUse>> packs(List<GroupId> groups, int paths) {
        return namenode.call(new NamespaceRequest.FindPacks(groups, Optional.of(paths)), NamespaceReply.Packs.class)
                .thenApply(NamespaceReply.Packs::packs);
    }

    /** A page of all groups that small files share; see {@link NamespaceRequest.ListPacks}. */
    public CompletableFuture<NamespaceReply.Packs> packs(long after, int limit) {
        return namenode.call(new NamespaceRequest.ListPacks(after, limit), NamespaceReply.Packs.class);
    }

    /** Files that are not whole; see {@link NamespaceRequest.FindProblems}. */
    public CompletableFuture<NamespaceReply.Problems> problems(
            FilePath path, boolean lost, long afterGroup, int limit) {
        return namenode.call(
                new NamespaceRequest.FindProblems(path, lost, afterGroup, limit), NamespaceReply.Problems.class);
    }

    /**
     * Files that are not whole and could lose most by another loss, those first; see
     * {@link NamespaceRequest.FindProblems}.
     */
    public CompletableFuture<NamespaceReply.Problems> urgentProblems(FilePath path, int limit) {
        return namenode.call(
                new NamespaceRequest.FindProblems(path, false, 0, limit, Optional.of(true)),
                NamespaceReply.Problems.class);
    }

    /** Chunks that datanodes have and no facts place; see {@link NamespaceRequest.FindOrphans}. */
    public CompletableFuture<NamespaceReply.Orphans> orphans(
            Optional<NamespaceRequest.FindOrphans.Place> after, int limit) {
        return namenode.call(new NamespaceRequest.FindOrphans(after, limit), NamespaceReply.Orphans.class);
    }

    /** Says what is wanted of a datanode; see {@link NamespaceRequest.SetAdminState}. */
    public CompletableFuture<Void> setDuty(DatanodeId datanode, AdminState.State wanted, Optional<Duration> time) {
        return change(id -> new NamespaceRequest.SetAdminState(id, datanode, wanted, time.map(Duration::toMillis)));
    }

    /** Lets another directory take over a datanode's name; see {@link NamespaceRequest.AdmitDatanode}. */
    public CompletableFuture<Void> admit(DatanodeId datanode) {
        return change(id -> new NamespaceRequest.AdmitDatanode(id, datanode));
    }

    /** A page of what groups would have left if these datanodes stopped; see {@link NamespaceRequest.CheckStop}. */
    public CompletableFuture<NamespaceReply.StopChecked> checkStop(
            List<DatanodeId> datanodes, int volume, long afterGroup, int limit) {
        return namenode.call(
                new NamespaceRequest.CheckStop(datanodes, volume, afterGroup, limit), NamespaceReply.StopChecked.class);
    }

    /** Time of the writes of all clients; see {@link NamespaceRequest.GetWrites}. */
    public CompletableFuture<WriteReport> writes() {
        return namenode.call(new NamespaceRequest.GetWrites(), NamespaceReply.Writes.class)
                .thenApply(NamespaceReply.Writes::report);
    }

    /** Load of the datanodes and its balance; see {@link NamespaceRequest.GetLoads}. */
    public CompletableFuture<LoadReport> loads() {
        return namenode.call(new NamespaceRequest.GetLoads(), NamespaceReply.Loads.class)
                .thenApply(NamespaceReply.Loads::report);
    }

    /** Groups on a datanode that are read most, and by whom; see {@link NamespaceRequest.GetHotGroups}. */
    public CompletableFuture<HotGroups> hotGroups(DatanodeId datanode, int limit) {
        return namenode.call(new NamespaceRequest.GetHotGroups(datanode, limit), NamespaceReply.ReadMost.class)
                .thenApply(NamespaceReply.ReadMost::groups);
    }

    /** State and planned moves of the chunk mover; see {@link NamespaceRequest.GetMoves}. */
    public CompletableFuture<MoverReport> moves(long after, int limit, boolean plan) {
        return namenode.call(new NamespaceRequest.GetMoves(after, limit, plan), NamespaceReply.Moves.class)
                .thenApply(NamespaceReply.Moves::report);
    }

    /** See {@link NamespaceRequest.PauseMover}. */
    public CompletableFuture<Void> pauseMover(boolean paused) {
        return change(id -> new NamespaceRequest.PauseMover(id, paused));
    }

    /** Throttles of reconstruction; see {@link Throttles}. */
    public CompletableFuture<Throttles> throttles() {
        return namenode.call(new NamespaceRequest.GetThrottles(), NamespaceReply.ThrottlesInForce.class)
                .thenApply(NamespaceReply.ThrottlesInForce::throttles);
    }

    /** See {@link NamespaceRequest.FinalizeUpgrade}. */
    public CompletableFuture<ClusterReport.Levels> finalizeUpgrade() {
        return namenode.call(new NamespaceRequest.FinalizeUpgrade(), NamespaceReply.LevelsInForce.class)
                .thenApply(NamespaceReply.LevelsInForce::levels);
    }

    /** See {@link NamespaceRequest.SetThrottles}. */
    public CompletableFuture<Void> setThrottles(
            Optional<Long> repairsAtOnce, Optional<Long> repairsPerDatanode, Optional<Long> repairBytesPerSecond) {
        return change(
                id -> new NamespaceRequest.SetThrottles(id, repairsAtOnce, repairsPerDatanode, repairBytesPerSecond));
    }

    /** All rings of volumes; see {@link NamespaceRequest.GetRings}. */
    public CompletableFuture<List<RingState>> rings() {
        return namenode.call(new NamespaceRequest.GetRings(), NamespaceReply.Rings.class)
                .thenApply(NamespaceReply.Rings::rings);
    }

    /** See {@link NamespaceRequest.CreateRing}. */
    public CompletableFuture<Void> createRing(
            String name,
            int colours,
            Optional<Integer> writers,
            Duration period,
            List<VolumeId> volumes,
            List<VolumeId> spares) {
        return change(
                id -> new NamespaceRequest.CreateRing(id, name, colours, writers, period.toMillis(), volumes, spares));
    }

    /** See {@link NamespaceRequest.SetRing}. */
    public CompletableFuture<Void> setRing(
            String name, Optional<Integer> writers, Optional<Duration> period, Optional<Boolean> paused) {
        return change(id -> new NamespaceRequest.SetRing(id, name, writers, period.map(Duration::toMillis), paused));
    }

    /** See {@link NamespaceRequest.AssignVolumes}. */
    public CompletableFuture<Void> assignVolumes(
            String name, List<VolumeId> add, List<VolumeId> spares, List<VolumeId> remove) {
        return change(id -> new NamespaceRequest.AssignVolumes(id, name, add, spares, remove));
    }

    /** See {@link NamespaceRequest.DropRing}. */
    public CompletableFuture<Void> dropRing(String name, NamespaceRequest.DropRing.Remaining remaining) {
        return change(id -> new NamespaceRequest.DropRing(id, name, remaining));
    }

    /** See {@link NamespaceRequest.SetDirectoryRing}; the policy stays. */
    public CompletableFuture<Void> setRing(FilePath path, Optional<String> ring) {
        return change(id -> new NamespaceRequest.SetDirectoryRing(id, path, ring, Optional.empty()));
    }

    /**
     * See {@link NamespaceRequest.SetDirectoryRing}.
     *
     * @param policy empty: inherit again
     */
    public CompletableFuture<Void> setRing(FilePath path, Optional<String> ring, Optional<Policy> policy) {
        NamespaceRequest.SetEncoding.PolicyChange change = new NamespaceRequest.SetEncoding.PolicyChange(policy);
        return change(id -> new NamespaceRequest.SetDirectoryRing(id, path, ring, Optional.of(change)));
    }

    /** A page of what sealed groups hold and what that takes, by policy; see {@link NamespaceRequest.SumGroups}. */
    public CompletableFuture<GroupSums> sumGroups(long after, int limit) {
        return namenode.call(new NamespaceRequest.SumGroups(after, limit), NamespaceReply.SummedGroups.class)
                .thenApply(NamespaceReply.SummedGroups::sums);
    }

    /** Balance of the volumes' fill levels, and control of rebalancing; see {@link NamespaceRequest.Balance}. */
    public CompletableFuture<BalanceReport> balance(NamespaceRequest.Balance.Wish wish, int thresholdPermille) {
        return namenode.call(new NamespaceRequest.Balance(wish, thresholdPermille), NamespaceReply.Balanced.class)
                .thenApply(NamespaceReply.Balanced::report);
    }

    /** Begins a conversion; returns its number. See {@link NamespaceRequest.ConvertFiles}. */
    public CompletableFuture<Long> convert(FilePath path, Policy policy, boolean dryRun) {
        return namenode.call(
                        new NamespaceRequest.ConvertFiles(requests.next(), path, policy, dryRun),
                        NamespaceReply.ConversionBegun.class)
                .thenApply(NamespaceReply.ConversionBegun::job);
    }

    /** See {@link NamespaceRequest.ControlConversion}. */
    public CompletableFuture<Void> control(long job, NamespaceRequest.ControlConversion.Control control) {
        return change(request -> new NamespaceRequest.ControlConversion(request, job, control));
    }

    /** See {@link NamespaceRequest.SetConversionRules}. */
    public CompletableFuture<Void> setConversionRules(FilePath directory, List<ConversionRule> rules) {
        return change(request -> new NamespaceRequest.SetConversionRules(request, directory, rules));
    }

    /** The rules that hold at a path; see {@link NamespaceRequest.GetConversionRules}. */
    public CompletableFuture<NamespaceReply.ConversionRules> conversionRules(FilePath path) {
        return namenode.call(new NamespaceRequest.GetConversionRules(path), NamespaceReply.ConversionRules.class);
    }

    /** See {@link NamespaceRequest.GetConversions}. */
    public CompletableFuture<List<Conversion>> conversions() {
        return namenode.call(new NamespaceRequest.GetConversions(), NamespaceReply.Conversions.class)
                .thenApply(NamespaceReply.Conversions::conversions);
    }

    private CompletableFuture<Void> change(Function<RequestId, NamespaceRequest.Mutation> request) {
        return namenode.call(request.apply(requests.next()), NamespaceReply.class)
                .thenApply(done -> null);
    }
}
