package io.ecfs.namenode.user;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.message.namespace.Operation;
import io.ecfs.message.namespace.Operation.Access;
import io.ecfs.namenode.cluster.ClusterIdentity;
import io.ecfs.namenode.command.Caller;

/**
 * The right that each kind of request needs: a test fails for one without. Only the superuser's are checked here, the
 * others where paths and leases are at hand.
 */
public final class RequestRights {
    /** Kinds of rights. */
    public enum Right {
        /** Any named user: sums of the cluster, and requests that name no user's files. */
        EVERYBODY,
        /** By the permissions of the paths that it names, or of the files that it is about. */
        BY_PATH,
        /** The user who has the file's lease, or the superuser, with the client that took it. */
        BY_LEASE,
        /** Its key makes it the caller's own. */
        OWN,
        /** The superuser: it is about all files, about no file, or orders work. */
        SUPERUSER
    }

    /** @param doing what the superuser alone does, in words */
    private record Rule(Right right, String doing) {}

    private static final Map<Class<? extends NamespaceRequest>, Rule> RULES = rules();

    private RequestRights() {}

    private static Map<Class<? extends NamespaceRequest>, Rule> rules() {
        Map<Class<? extends NamespaceRequest>, Rule> rules = new HashMap<>();
        put(
                rules,
                Right.EVERYBODY,
                NamespaceRequest.ListPolicies.class,
                NamespaceRequest.GetReport.class,
                NamespaceRequest.GetSpace.class,
                NamespaceRequest.GetCluster.class,
                NamespaceRequest.GetNamenodeState.class,
                NamespaceRequest.GetSafeMode.class,
                NamespaceRequest.GetThrottles.class,
                NamespaceRequest.GetLoads.class,
                NamespaceRequest.ReportAccesses.class);
        put(
                rules,
                Right.BY_PATH,
                NamespaceRequest.GetStatus.class,
                NamespaceRequest.GetInodeStatus.class,
                NamespaceRequest.CheckAccess.class,
                NamespaceRequest.GetAcl.class,
                NamespaceRequest.GetXAttrs.class,
                NamespaceRequest.GetQuota.class,
                NamespaceRequest.SumDirectory.class,
                NamespaceRequest.ListStatus.class,
                NamespaceRequest.Locate.class,
                NamespaceRequest.LocateAll.class,
                NamespaceRequest.FindProblems.class,
                NamespaceRequest.ReportBadChunks.class,
                NamespaceRequest.Mkdirs.class,
                NamespaceRequest.Create.class,
                NamespaceRequest.Append.class,
                NamespaceRequest.Truncate.class,
                NamespaceRequest.Concat.class,
                NamespaceRequest.RecoverLease.class,
                NamespaceRequest.Rename.class,
                NamespaceRequest.Delete.class,
                NamespaceRequest.SetMode.class,
                NamespaceRequest.SetOwner.class,
                NamespaceRequest.SetTimes.class,
                NamespaceRequest.SetPolicy.class,
                NamespaceRequest.ChangeAcl.class,
                NamespaceRequest.SetXAttr.class,
                NamespaceRequest.RemoveXAttr.class,
                NamespaceRequest.SetQuota.class);
        put(
                rules,
                Right.BY_LEASE,
                NamespaceRequest.ConfirmGroup.class,
                NamespaceRequest.RenewToken.class,
                NamespaceRequest.AddGroup.class,
                NamespaceRequest.SealGroup.class,
                NamespaceRequest.CompleteFile.class,
                NamespaceRequest.LeaveOut.class,
                NamespaceRequest.AbandonFile.class);
        put(rules, Right.OWN, NamespaceRequest.RenewLease.class, NamespaceRequest.OpenSession.class);
        superuser(rules, NamespaceRequest.ListEvents.class, "list events");
        superuser(rules, NamespaceRequest.ListIncidents.class, "list incidents");
        superuser(rules, NamespaceRequest.ListRepairs.class, "list repairs");
        superuser(rules, NamespaceRequest.FindOrphans.class, "list chunks that no file has");
        superuser(rules, NamespaceRequest.CheckStop.class, "have it checked whether datanodes may stop");
        superuser(rules, NamespaceRequest.SumGroups.class, "have all groups summed");
        superuser(rules, NamespaceRequest.GetMoves.class, "list moves of chunks");
        superuser(rules, NamespaceRequest.Balance.class, "begin or end balancing");
        superuser(rules, NamespaceRequest.FinalizeUpgrade.class, "finalize an upgrade");
        superuser(rules, NamespaceRequest.SetSafeMode.class, "begin or end safe mode");
        superuser(rules, NamespaceRequest.PauseMover.class, "pause or resume the chunk mover");
        superuser(rules, NamespaceRequest.SetThrottles.class, "set throttles");
        superuser(rules, NamespaceRequest.AdmitDatanode.class, "admit a datanode");
        superuser(rules, NamespaceRequest.SetAdminState.class, "say what is wanted of a datanode");
        return Map.copyOf(rules);
    }

    @SafeVarargs
    private static void put(
            Map<Class<? extends NamespaceRequest>, Rule> rules,
            Right right,
            Class<? extends NamespaceRequest>... kinds) {
        for (Class<? extends NamespaceRequest> kind : kinds) {
            rules.put(kind, new Rule(right, ""));
        }
    }

    private static void superuser(
            Map<Class<? extends NamespaceRequest>, Rule> rules, Class<? extends NamespaceRequest> kind, String doing) {
        rules.put(kind, new Rule(Right.SUPERUSER, doing));
    }

    /** Empty for a kind without a rule. */
    public static Optional<Right> of(Class<?> kind) {
        return Optional.ofNullable(RULES.get(kind)).map(Rule::right);
    }

    /** Returns whether the superuser alone may send this. */
    public static boolean superuserOnly(NamespaceRequest request) {
        if (request instanceof NamespaceRequest.Balance balance) {
            return balance.wish() != NamespaceRequest.Balance.Wish.LOOK;
        }
        return operation(request).access() == Access.SUPERUSER;
    }

    /** @throws EcfsException {@code ACCESS_DENIED} when it is the superuser's and the caller is another user */
    public static void require(ClusterIdentity identity, Caller caller, NamespaceRequest request) throws EcfsException {
        if (superuserOnly(request) && !identity.superuser(caller.user(), caller.groups())) {
            throw new EcfsException(
                    ErrorCode.ACCESS_DENIED,
                    "user " + caller.user() + " may not " + operation(request).doing() + ": only the superuser may");
        }
    }

    private static Operation operation(NamespaceRequest request) {
        return request.getClass().getAnnotation(Operation.class);
    }
}
