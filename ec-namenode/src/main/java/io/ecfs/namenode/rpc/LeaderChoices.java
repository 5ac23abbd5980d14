package io.ecfs.namenode.rpc;

import io.ecfs.dispatch.HandlerTable;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.InodeId;
import io.ecfs.layout.Policy;
import io.ecfs.layout.RingId;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.FilePath;
import io.ecfs.message.VolumeId;
import io.ecfs.message.namespace.ConversionRule;
import io.ecfs.message.namespace.FileStatus;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.message.namespace.NamespaceRequest.DropRing.Remaining;
import io.ecfs.message.namespace.NamespaceRequest.Mutation;
import io.ecfs.namenode.cluster.RingFacts;
import io.ecfs.namenode.command.CallerIdentity;
import io.ecfs.namenode.context.ClusterView;
import io.ecfs.namenode.context.NamenodeContext;
import io.ecfs.namenode.group.Allocation;
import io.ecfs.namenode.leader.Leader;
import io.ecfs.namenode.namespace.NamespaceView;
import io.ecfs.namenode.placement.Placement;
import io.ecfs.namenode.ring.DrainCheck;
import io.ecfs.namenode.ring.JournalCheck;
import io.ecfs.namenode.state.MetadataView;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Choices of the leader for a mutation before it proposes it, since applying must not choose: where new chunks go,
 * whether a lease ran out, whether volumes have journals, whether a ring can be drained. Owner thread: the namenode's
 * event thread.
 */
final class LeaderChoices {
    private static final Logger LOG = LoggerFactory.getLogger(LeaderChoices.class);

    private final NamenodeContext context;
    private final ClusterView cluster;
    private final Placement placement;
    private final JournalCheck journals;
    private final DrainCheck drains;
    /** Other mutations leave nothing to choose but the time. */
    private final HandlerTable<Mutation, Choosing, Choices> choosers =
            HandlerTable.<Mutation, Choosing, Choices>builder()
                    .on(NamespaceRequest.Create.class, this::create)
                    .on(NamespaceRequest.CreateWithoutGroup.class, this::createWithoutGroup)
                    .on(NamespaceRequest.OpenPack.class, this::openPack)
                    .on(NamespaceRequest.Append.class, this::append)
                    .on(NamespaceRequest.OpenUpdate.class, LeaderChoices::openUpdate)
                    .on(NamespaceRequest.AddGroup.class, this::addGroup)
                    .on(NamespaceRequest.RecoverLease.class, this::recoverLease)
                    .on(NamespaceRequest.ConvertFiles.class, LeaderChoices::convert)
                    .on(NamespaceRequest.SetConversionRules.class, LeaderChoices::rules)
                    .on(
                            NamespaceRequest.CreateRing.class,
                            (on, create) -> journals(on, create, create.volumes(), create.spares()))
                    .on(
                            NamespaceRequest.AssignVolumes.class,
                            (on, assign) -> journals(on, assign, assign.add(), assign.spares()))
                    .on(NamespaceRequest.DropRing.class, this::dropRing)
                    .build();

    /** Input of the choices for one mutation. */
    private record Choosing(Leader leader, CallerIdentity caller, MetadataView view) {}

    /** The leader's choices for one mutation. */
    record Choices(List<VolumeId> candidates, Optional<String> expiredHolder) {
        static final Choices NONE = new Choices(List.of(), Optional.empty());
    }

    LeaderChoices(NamenodeContext context, ClusterView cluster) {
        this.context = context;
        this.cluster = cluster;
        this.placement = new Placement(context.settings().minFreeBytes());
        this.journals = new JournalCheck(cluster);
        this.drains = new DrainCheck(context, cluster, placement);
    }

    /**
     * Chooses by local facts only, which may be behind: what they would reject is proposed all the same, so that only
     * the log's order decides.
     * @throws EcfsException {@code NO_SPACE} when too few datanodes can take a chunk
     */
    Choices choose(Leader leader, CallerIdentity caller, Mutation mutation) throws EcfsException {
        if (!choosers.handles(mutation)) {
            return Choices.NONE;
        }
        try (MetadataView view = context.facts().get()) {
            return choosers.handle(new Choosing(leader, caller, view), mutation);
        }
    }

    private Choices create(Choosing on, NamespaceRequest.Create create) throws EcfsException {
        NamespaceView.Room room = room(on.view().namespace(), create, on.caller());
        Policy policy = create.policy().orElse(room.policy());
        return new Choices(
                place(on, create, new Place(policy, room.ring(), List.of())),
                room.lease().flatMap(on.leader().leases::expired));
    }

    private Choices createWithoutGroup(Choosing on, NamespaceRequest.CreateWithoutGroup create) throws EcfsException {
        NamespaceView.Room room = room(on.view().namespace(), create.create(), on.caller());
        return new Choices(List.of(), room.lease().flatMap(on.leader().leases::expired));
    }

    private Choices openPack(Choosing on, NamespaceRequest.OpenPack open) throws EcfsException {
        return group(on, open, open.like(), open.avoid());
    }

    private Choices append(Choosing on, NamespaceRequest.Append append) throws EcfsException {
        NamespaceView namespace = on.view().namespace();
        Optional<FileStatus> file = file(namespace, append.path(), on.caller());
        if (file.isEmpty()) {
            return Choices.NONE;
        }
        Place place = new Place(file.get().policy(), namespace.ringOf(file.get().inode()), List.of());
        return new Choices(place(on, append, place), expiredHolder(on, append.path()));
    }

    private static Choices openUpdate(Choosing on, NamespaceRequest.OpenUpdate open) throws EcfsException {
        return new Choices(List.of(), expiredHolder(on, open.path()));
    }

    private Choices addGroup(Choosing on, NamespaceRequest.AddGroup add) throws EcfsException {
        return group(on, add, add.file(), add.avoid());
    }

    private Choices group(Choosing on, Mutation mutation, InodeId file, List<DatanodeId> avoid) throws EcfsException {
        Optional<Policy> policy = on.view().namespace().policyOf(file);
        if (policy.isEmpty()) {
            return Choices.NONE;
        }
        Place place = new Place(policy.get(), on.view().namespace().ringOf(file), avoid);
        return new Choices(place(on, mutation, place), Optional.empty());
    }

    private Choices recoverLease(Choosing on, NamespaceRequest.RecoverLease recover) throws EcfsException {
        return new Choices(List.of(), expiredHolder(on, recover.path()));
    }

    private static Choices convert(Choosing on, NamespaceRequest.ConvertFiles convert) throws EcfsException {
        on.leader().rewriting.requireConvertible(convert.policy());
        return Choices.NONE;
    }

    private static Choices rules(Choosing on, NamespaceRequest.SetConversionRules set) throws EcfsException {
        for (ConversionRule rule : set.rules()) {
            on.leader().rewriting.requireConvertible(rule.to());
        }
        return Choices.NONE;
    }

    /** Volumes that are to be in a ring have journals; of a call that is repeated they had. */
    private Choices journals(Choosing on, Mutation mutation, List<VolumeId> volumes, List<VolumeId> spares)
            throws EcfsException {
        context.requireRight(on.caller(), mutation);
        if (on.view().answerTo(on.caller().user(), mutation).isEmpty()) {
            journals.require(volumes);
            journals.require(spares);
        }
        return Choices.NONE;
    }

    /** Groups have a place outside of rings when a ring is to be drained; of a call that is repeated they had. */
    private Choices dropRing(Choosing on, NamespaceRequest.DropRing drop) throws EcfsException {
        context.requireRight(on.caller(), drop);
        if (drop.remaining() == Remaining.MOVE
                && on.view().answerTo(on.caller().user(), drop).isEmpty()) {
            Optional<RingFacts> begins = on.view()
                    .ring(drop.name())
                    .filter(ring -> !ring.dropping() && on.view().ringDirectories(ring.ring()) == 0);
            if (begins.isPresent()) {
                drains.require(on.view(), begins.get());
            }
        }
        return Choices.NONE;
    }

    private NamespaceView.Room room(NamespaceView namespace, NamespaceRequest.Create create, CallerIdentity caller) {
        try {
            return namespace.roomFor(create.path(), caller);
        } catch (EcfsException refusedByLocalFacts) {
            return new NamespaceView.Room(context.settings().defaultPolicy(), Optional.empty(), Optional.empty());
        }
    }

    private static Optional<FileStatus> file(NamespaceView namespace, FilePath path, CallerIdentity caller) {
        try {
            return Optional.of(namespace.status(path, caller)).filter(status -> !status.directory());
        } catch (EcfsException refusedByLocalFacts) {
            return Optional.empty();
        }
    }

    private static Optional<String> expiredHolder(Choosing on, FilePath path) throws EcfsException {
        NamespaceView namespace = on.view().namespace();
        try {
            return namespace.lease(path, on.caller()).flatMap(on.leader().leases::expired);
        } catch (EcfsException refusedByLocalFacts) {
            return Optional.empty();
        }
    }

    /**
     * Where a new group is to lie.
     *
     * @param ring on whose volumes; empty, or one that is being dropped: on those of none
     */
    private record Place(Policy policy, Optional<RingId> ring, List<DatanodeId> avoid) {}

    /** Chooses volumes; none without room for a call that is repeated, since it had its effect before. */
    private List<VolumeId> place(Choosing on, Mutation mutation, Place wanted) throws EcfsException {
        try {
            return place(wanted);
        } catch (EcfsException noRoom) {
            if (on.view().answerTo(on.caller().user(), mutation).isPresent()) {
                return List.of();
            }
            throw noRoom;
        }
    }

    private List<VolumeId> place(Place wanted) throws EcfsException {
        Policy policy = wanted.policy();
        Placement.Choice choice = cluster.newGroup(placement, policy, wanted.ring(), Set.copyOf(wanted.avoid()));
        if (choice.volumes().size() < Allocation.fewestChunks(policy)) {
            throw new EcfsException(
                    ErrorCode.NO_SPACE,
                    "a block group under " + policy + " needs " + policy.chunks() + " datanodes, at least "
                            + Allocation.fewestChunks(policy) + "; " + choice.explain());
        }
        if (choice.volumes().size() < policy.chunks()) {
            LOG.warn(
                    "event=group_short policy={} chunks={} reason=\"{}\"",
                    policy,
                    choice.volumes().size(),
                    choice.explain());
        }
        return choice.volumes();
    }
}
