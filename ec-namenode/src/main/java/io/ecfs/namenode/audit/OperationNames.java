package io.ecfs.namenode.audit;

import io.ecfs.dispatch.FunctionTable;
import io.ecfs.layout.EncodingSide;
import io.ecfs.layout.InodeId;
import io.ecfs.layout.Policy;
import io.ecfs.message.FilePath;
import io.ecfs.message.namespace.AclEntry;
import io.ecfs.message.namespace.NamespaceRequest;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** Names and arguments of all requests in the audit log: HDFS's where HDFS has the operation. */
final class OperationNames {
    private static final int MOST_LISTED = 32;
    private static final String UNSET = "-";

    /** Paths of files by their inodes, at the moment; for requests of lease holders. */
    interface Paths extends Function<InodeId, Optional<FilePath>> {}

    private static final FunctionTable<NamespaceRequest, Paths, AuditedOperation> TABLE = files(
                    reads(FunctionTable.<NamespaceRequest, Paths, AuditedOperation>of(NamespaceRequest.class)))
            .on(
                    NamespaceRequest.SetSafeMode.class,
                    (p, r) -> AuditedOperation.change(r.on() ? "safemode_enter" : "safemode_leave"))
            .on(NamespaceRequest.OpenSession.class, (p, r) -> AuditedOperation.change("openSession"))
            .on(
                    NamespaceRequest.PauseMover.class,
                    (p, r) -> AuditedOperation.change(r.paused() ? "pauseMover" : "resumeMover"))
            .on(
                    NamespaceRequest.SetThrottles.class,
                    (p, r) -> AuditedOperation.change("setThrottles")
                            .with("repairs", r.repairsAtOnce())
                            .with("repairsPerDatanode", r.repairsPerDatanode())
                            .with("bytesPerSecond", r.repairBytesPerSecond()))
            .on(
                    NamespaceRequest.AdmitDatanode.class,
                    (p, r) -> AuditedOperation.change(
                            "admitDatanode", r.datanode().name()))
            .on(NamespaceRequest.SetAdminState.class, (p, r) -> adminState(r))
            .on(
                    NamespaceRequest.CreateRing.class,
                    (p, r) -> AuditedOperation.change("createRing", r.name())
                            .with("colours", r.colours())
                            .with("writers", r.writers())
                            .with("volumes", r.volumes().toString().replace(" ", ""))
                            .with("spares", r.spares().toString().replace(" ", "")))
            .on(
                    NamespaceRequest.SetRing.class,
                    (p, r) -> AuditedOperation.change("setRing", r.name())
                            .with("writers", r.writers())
                            .with("millis", r.periodMillis())
                            .with("paused", r.paused()))
            .on(
                    NamespaceRequest.AssignVolumes.class,
                    (p, r) -> AuditedOperation.change("assignVolumes", r.name())
                            .with("add", r.add().toString().replace(" ", ""))
                            .with("spares", r.spares().toString().replace(" ", ""))
                            .with("remove", r.remove().toString().replace(" ", "")))
            .on(
                    NamespaceRequest.DropRing.class,
                    (p, r) -> AuditedOperation.change("dropRing", r.name()).with("groups", r.remaining()))
            .on(NamespaceRequest.FinalizeUpgrade.class, (p, r) -> AuditedOperation.change("finalizeUpgrade"))
            .on(NamespaceRequest.Balance.class, (p, r) -> balance(r))
            .build();

    private OperationNames() {}

    static AuditedOperation of(NamespaceRequest request, Paths paths) {
        return TABLE.apply(paths, request);
    }

    private static FunctionTable.Builder<NamespaceRequest, Paths, AuditedOperation> reads(
            FunctionTable.Builder<NamespaceRequest, Paths, AuditedOperation> table) {
        return table.on(NamespaceRequest.GetStatus.class, (p, r) -> read("getfileinfo", r.path()))
                .on(
                        NamespaceRequest.GetInodeStatus.class,
                        (p, r) -> AuditedOperation.about("getfileinfo", r.inode(), false))
                .on(NamespaceRequest.CheckAccess.class, (p, r) -> read("checkAccess", r.path()))
                .on(NamespaceRequest.GetAcl.class, (p, r) -> read("getAclStatus", r.path()))
                .on(NamespaceRequest.GetConversionRules.class, (p, r) -> read("getConversionRules", r.path()))
                .on(NamespaceRequest.GetXAttrs.class, (p, r) -> read("getXAttrs", r.path()))
                .on(NamespaceRequest.GetQuota.class, (p, r) -> read("quotaUsage", r.path()))
                .on(NamespaceRequest.SumDirectory.class, (p, r) -> read("contentSummary", r.path()))
                .on(NamespaceRequest.ListStatus.class, (p, r) -> read("listStatus", r.path()))
                .on(NamespaceRequest.Locate.class, (p, r) -> read("open", r.path()))
                .on(
                        NamespaceRequest.LocateAll.class,
                        (p, r) -> AuditedOperation.read("open", Optional.of(list(r.paths()))))
                .on(NamespaceRequest.FindProblems.class, (p, r) -> read("fsck", r.path()))
                .on(
                        NamespaceRequest.FindNames.class,
                        (p, r) -> read("findNames", r.path()).with("pattern", r.pattern()))
                .on(
                        NamespaceRequest.ConfirmGroup.class,
                        (p, r) -> AuditedOperation.about("confirmBlockGroup", r.file(), false))
                .on(
                        NamespaceRequest.CountPlaces.class,
                        (p, r) -> AuditedOperation.about("countPlaces", r.file(), false))
                .on(
                        NamespaceRequest.RenewToken.class,
                        (p, r) -> AuditedOperation.about("renewBlockToken", r.file(), false))
                .on(
                        Set.of(
                                NamespaceRequest.GetSafeMode.class,
                                NamespaceRequest.ListPolicies.class,
                                NamespaceRequest.GetReport.class,
                                NamespaceRequest.GetSpace.class,
                                NamespaceRequest.GetNamenodeState.class,
                                NamespaceRequest.GetCluster.class,
                                NamespaceRequest.ListEvents.class,
                                NamespaceRequest.ListIncidents.class,
                                NamespaceRequest.ListRepairs.class,
                                NamespaceRequest.FindOrphans.class,
                                NamespaceRequest.FindGroups.class,
                                NamespaceRequest.FindPacks.class,
                                NamespaceRequest.ListPacks.class,
                                NamespaceRequest.ListAudit.class,
                                NamespaceRequest.CheckStop.class,
                                NamespaceRequest.ReportAccesses.class,
                                NamespaceRequest.GetMoves.class,
                                NamespaceRequest.GetConversions.class,
                                NamespaceRequest.GetLoads.class,
                                NamespaceRequest.ReportWrites.class,
                                NamespaceRequest.GetWrites.class,
                                NamespaceRequest.GetHotGroups.class,
                                NamespaceRequest.GetThrottles.class,
                                NamespaceRequest.GetRings.class,
                                NamespaceRequest.SumGroups.class,
                                NamespaceRequest.ReportBadChunks.class,
                                NamespaceRequest.RenewLease.class),
                        (p, r) -> AuditedOperation.read(ownName(r), Optional.empty()));
    }

    private static FunctionTable.Builder<NamespaceRequest, Paths, AuditedOperation> files(
            FunctionTable.Builder<NamespaceRequest, Paths, AuditedOperation> table) {
        return table.on(
                        NamespaceRequest.Mkdirs.class,
                        (p, r) -> change("mkdirs", r.path()).permission(UNSET, UNSET, mode(r.mode())))
                .on(
                        NamespaceRequest.Create.class,
                        (p, r) -> change("create", r.path())
                                .permission(UNSET, UNSET, mode(r.mode()))
                                .with("overwrite", r.overwrite())
                                .with("policy", r.policy()))
                .on(
                        NamespaceRequest.CreateWithoutGroup.class,
                        (p, r) -> change("create", r.create().path())
                                .permission(UNSET, UNSET, mode(r.create().mode()))
                                .with("overwrite", r.create().overwrite())
                                .with("policy", r.create().policy()))
                .on(NamespaceRequest.OpenPack.class, (p, r) -> AuditedOperation.about("openPack", r.like(), true))
                .on(
                        NamespaceRequest.CommitFiles.class,
                        (p, r) -> AuditedOperation.about("commitFiles", r.pack(), true)
                                .with("files", r.files().size()))
                .on(NamespaceRequest.AddGroup.class, (p, r) -> AuditedOperation.about("addBlockGroup", r.file(), true))
                .on(
                        NamespaceRequest.SealGroup.class,
                        (p, r) -> AuditedOperation.about("sealBlockGroup", r.file(), true)
                                .with("group", r.sealed().group()))
                .on(
                        NamespaceRequest.CompleteFile.class,
                        (p, r) -> AuditedOperation.about("completeFile", r.file(), true))
                .on(
                        NamespaceRequest.LeaveOut.class,
                        (p, r) -> AuditedOperation.about("leaveOutChunks", r.file(), true)
                                .with("group", r.group())
                                .with("chunks", r.indexes().toString().replace(" ", "")))
                .on(NamespaceRequest.AbandonFile.class, (p, r) -> change("abandonFile", r.file(), p))
                .on(NamespaceRequest.Append.class, (p, r) -> change("append", r.path()))
                .on(NamespaceRequest.OpenUpdate.class, (p, r) -> change("openUpdate", r.path()))
                .on(
                        NamespaceRequest.ReplaceLayout.class,
                        (p, r) -> AuditedOperation.about("replaceLayout", r.file(), true)
                                .with("length", r.length())
                                .with("extents", r.extents().map(List::size))
                                .with("patches", r.patches().size()))
                .on(
                        NamespaceRequest.Truncate.class,
                        (p, r) -> change("truncate", r.path()).with("length", r.length()))
                .on(
                        NamespaceRequest.Concat.class,
                        (p, r) -> AuditedOperation.change("concat", list(r.sources()))
                                .to(r.path().text()))
                .on(NamespaceRequest.RecoverLease.class, (p, r) -> change("recoverLease", r.path()))
                .on(
                        NamespaceRequest.Rename.class,
                        (p, r) -> change(r.overwrite() ? "rename (options=[OVERWRITE])" : "rename", r.from())
                                .to(r.to().text()))
                .on(
                        NamespaceRequest.Delete.class,
                        (p, r) -> change("delete", r.path()).with("recursive", r.recursive()))
                .on(
                        NamespaceRequest.SetMode.class,
                        (p, r) -> change("setPermission", r.path()).permission(UNSET, UNSET, mode(r.mode())))
                .on(
                        NamespaceRequest.SetOwner.class,
                        (p, r) -> change("setOwner", r.path())
                                .permission(r.owner().orElse(UNSET), r.group().orElse(UNSET), UNSET))
                .on(
                        NamespaceRequest.SetTimes.class,
                        (p, r) -> change("setTimes", r.path())
                                .with("modified", r.modifiedMillis())
                                .with("accessed", r.accessedMillis()))
                .on(
                        NamespaceRequest.SetPolicy.class,
                        (p, r) -> change(
                                        r.policy().isPresent() ? "setErasureCodingPolicy" : "unsetErasureCodingPolicy",
                                        r.path())
                                .with("policy", r.policy()))
                .on(
                        NamespaceRequest.SetEncoding.class,
                        (p, r) -> change(r.side().isPresent() ? "setEncodingSide" : "unsetEncodingSide", r.path())
                                .with("side", r.side().map(EncodingSide::text))
                                .with(
                                        "policy",
                                        r.policy()
                                                .map(change -> change.to()
                                                        .map(Policy::name)
                                                        .orElse("inherited"))))
                .on(
                        NamespaceRequest.SetDirectoryRing.class,
                        (p, r) -> change(r.ring().isPresent() ? "setRingOfDirectory" : "unsetRingOfDirectory", r.path())
                                .with("ring", r.ring())
                                .with(
                                        "policy",
                                        r.policy()
                                                .map(change -> change.to()
                                                        .map(Policy::name)
                                                        .orElse("inherited"))))
                .on(
                        NamespaceRequest.ConvertFiles.class,
                        (p, r) -> r.dryRun()
                                ? read("convertFiles", r.path()).with("policy", Optional.of(r.policy()))
                                : change("convertFiles", r.path()).with("policy", Optional.of(r.policy())))
                .on(
                        NamespaceRequest.ControlConversion.class,
                        (p, r) -> AuditedOperation.change("controlConversion")
                                .with("job", Optional.of(r.job()))
                                .with("control", Optional.of(r.control())))
                .on(
                        NamespaceRequest.SetConversionRules.class,
                        (p, r) -> change("setConversionRules", r.path()).with("rules", Optional.of(r.rules())))
                .on(
                        NamespaceRequest.SetPacking.class,
                        (p, r) -> change(r.upTo().isPresent() ? "setPacking" : "unsetPacking", r.path())
                                .with("upTo", r.upTo()))
                .on(NamespaceRequest.ChangeAcl.class, (p, r) -> acl(r))
                .on(
                        NamespaceRequest.SetXAttr.class,
                        (p, r) -> change("setXAttr", r.path())
                                .with("name", r.attribute().name()))
                .on(
                        NamespaceRequest.RemoveXAttr.class,
                        (p, r) -> change("removeXAttr", r.path()).with("name", r.name()))
                .on(
                        NamespaceRequest.SetQuota.class,
                        (p, r) -> change("setQuota", r.path())
                                .with("names", r.names())
                                .with("space", r.space()));
    }

    private static AuditedOperation acl(NamespaceRequest.ChangeAcl change) {
        String command = switch (change.change()) {
            case MODIFY -> "modifyAclEntries";
            case REMOVE -> "removeAclEntries";
            case REMOVE_DEFAULT -> "removeDefaultAcl";
            case REMOVE_ALL -> "removeAcl";
            case SET -> "setAcl";
        };
        AuditedOperation named = change(command, change.path());
        return change.entries().isEmpty() ? named : named.with("entries", entries(change.entries()));
    }

    /** As {@code setfacl} writes them: {@code user:alice:r-x,default:group::rwx}. */
    private static String entries(List<AclEntry> entries) {
        return String.join(
                ",",
                entries.stream()
                        .limit(MOST_LISTED)
                        .map(entry -> (entry.scope() == AclEntry.Scope.DEFAULT ? "default:" : "") + lower(entry.type())
                                + ":" + entry.name() + ":" + bits(entry.bits()))
                        .toList());
    }

    private static AuditedOperation adminState(NamespaceRequest.SetAdminState set) {
        String command = switch (set.wanted()) {
            case IN_SERVICE -> "recommission";
            case IN_MAINTENANCE -> "maintenance";
            case DECOMMISSIONING, DECOMMISSIONED -> "decommission";
        };
        return AuditedOperation.change(command, set.datanode().name()).with("millis", set.forMillis());
    }

    private static AuditedOperation balance(NamespaceRequest.Balance balance) {
        return balance.wish() == NamespaceRequest.Balance.Wish.LOOK
                ? AuditedOperation.read("getBalance", Optional.empty())
                : AuditedOperation.change(
                        balance.wish() == NamespaceRequest.Balance.Wish.BEGIN ? "beginBalance" : "endBalance");
    }

    private static AuditedOperation read(String command, FilePath path) {
        return AuditedOperation.read(command, Optional.of(path.text()));
    }

    private static AuditedOperation change(String command, FilePath path) {
        return AuditedOperation.change(command, path.text());
    }

    private static AuditedOperation change(String command, InodeId inode, Paths paths) {
        return AuditedOperation.change(command, path(inode, paths));
    }

    /** HDFS's form for a file that has no path any more. */
    private static String path(InodeId inode, Paths paths) {
        return paths.apply(inode).map(FilePath::text).orElseGet(() -> AuditLine.byInode(inode));
    }

    private static String list(List<FilePath> paths) {
        String some =
                paths.stream().limit(MOST_LISTED).map(FilePath::text).toList().toString();
        return paths.size() <= MOST_LISTED ? some : some + " and " + (paths.size() - MOST_LISTED) + " more";
    }

    private static String ownName(NamespaceRequest request) {
        String name = request.getClass().getSimpleName();
        return Character.toLowerCase(name.charAt(0)) + name.substring(1);
    }

    private static String lower(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    /** {@code rwxr-xr-t} of 01755: HDFS's FsPermission shows the sticky bit alone. */
    static String mode(int mode) {
        String text = bits(mode >> 6) + bits(mode >> 3) + bits(mode);
        if ((mode & 01000) == 0) {
            return text;
        }
        return text.substring(0, 8) + (text.endsWith("x") ? "t" : "T");
    }

    private static String bits(int bits) {
        return ((bits & 4) != 0 ? "r" : "-") + ((bits & 2) != 0 ? "w" : "-") + ((bits & 1) != 0 ? "x" : "-");
    }
}
