package io.ecfs.client.write;

import io.ecfs.client.health.DatanodeHealth;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.WriteSide;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.namespace.FileStatus;
import io.ecfs.message.namespace.LocatedGroup;
import io.ecfs.message.namespace.NamespaceReply;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.message.namespace.SealedGroup;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends the namenode the requests of one writer, which has the file's lease: to add a group, confirm it and renew its
 * token, to seal it, and to complete, abandon or recover the file. Requests about the current group run one at a time:
 * this class remembers the purpose of the one under way, decides what follows a refusal, and counts the groups
 * allocated in a row until one could be begun. Each change is a mutation with a request id of its own. Owned by the
 * client's owner thread.
 */
final class WriterRequests {
    /** The meaning of an answer. */
    enum Purpose {
        /** A group was given, and the one before sealed or dropped. */
        NEXT_GROUP,
        /** A group was given instead of one that was dropped without being begun. */
        OTHER_GROUP,
        SEAL,
        COMPLETE
    }

    /** The consequence of a refusal by the namenode. */
    enum Refusal {
        /** The writer fails. */
        END,
        /** It was asked again, for a group of any datanodes. */
        ASKED_AGAIN,
        /** It is to be asked again later. */
        ASK_LATER,
        /** The old group was not begun yet, and is begun after all. */
        BEGIN_OLD,
        /** The old group is taken as it is, if it is good enough. */
        TAKE_OLD
    }

    private static final Logger LOG = LoggerFactory.getLogger(WriterRequests.class);

    private final WriteServices services;
    private final FileStatus file;
    private final Supplier<WriteSide> side;
    private final DatanodeHealth health;
    private final int mostAttempts;
    private final Consumer<WriteEvent> events;
    private Purpose purpose = Purpose.NEXT_GROUP;
    /** The group that ends with the last request for a group. */
    private Optional<SealedGroup> ended = Optional.empty();
    /** The datanodes that the last request for a group excluded. */
    private Set<DatanodeId> excluded = Set.of();

    private int attempt = 1;
    /** False when the group at hand is taken although it uses datanodes that answer nothing: there is no other. */
    private boolean choosy = true;

    /**
     * @param side who encodes at present
     * @param events receives the namenode's answer: {@link WriteEvent.Granted} or {@link WriteEvent.Refused}
     */
    WriterRequests(WriteServices services, FileStatus file, Supplier<WriteSide> side, Consumer<WriteEvent> events) {
        this.side = side;
        this.services = services;
        this.file = file;
        this.health = services.health();
        this.mostAttempts = services.config().groupAttempts();
        this.events = events;
    }

    /** The meaning of the next answer. */
    Purpose purpose() {
        return purpose;
    }

    /** Number of groups that were given in a row, this one included, until one can be begun. */
    int attempt() {
        return attempt;
    }

    boolean choosy() {
        return choosy;
    }

    /** @param before the group before, which ends with the same log entry */
    void nextGroup(Optional<SealedGroup> before) {
        attempt = 1;
        choosy = true;
        askForGroup(Purpose.NEXT_GROUP, before, health.excluded());
    }

    /** Asks for a group without datanodes that would only be waited for; once, then the one that is given is taken. */
    void groupWithoutSilent(SealedGroup dropped) {
        choosy = false;
        askForGroup(Purpose.OTHER_GROUP, Optional.of(dropped), health.excluded());
    }

    /** Returns whether as many groups were given in a row as are asked for. */
    boolean spent() {
        return attempt >= mostAttempts;
    }

    /** Asks for a group instead of one that could not be begun. */
    void otherGroup(SealedGroup dropped) {
        attempt++;
        askForGroup(Purpose.OTHER_GROUP, Optional.of(dropped), health.excluded());
    }

    /** Asks what was refused once more, for a group of any datanodes. */
    void again() {
        askForGroup(purpose, ended, Set.of());
    }

    void seal(SealedGroup complete) {
        ask(Purpose.SEAL, callSeal(complete));
    }

    /** @param unused nothing was ever sent to the chunks of the last group, which is dropped */
    void complete(Optional<SealedGroup> last, boolean unused) {
        ask(Purpose.COMPLETE, callComplete(last, unused));
    }

    /**
     * Decides what follows a refusal.
     *
     * @param old the group at hand, which an {@link Purpose#OTHER_GROUP} was to replace
     */
    Refusal refused(EcfsException reason, Optional<GroupWriter> old) {
        if (reason.code() != ErrorCode.NO_SPACE) {
            return Refusal.END;
        }
        return switch (purpose) {
            case SEAL, COMPLETE -> Refusal.END;
            case NEXT_GROUP -> noGroup();
            case OTHER_GROUP -> {
                GroupWriter current = old.orElseThrow();
                if (!current.begun()) {
                    yield Refusal.BEGIN_OLD;
                }
                yield current.group().chunks().enough() || spent() ? Refusal.TAKE_OLD : later();
            }
        };
    }

    private Refusal noGroup() {
        if (!excluded.isEmpty()) {
            choosy = false;
            again();
            return Refusal.ASKED_AGAIN;
        }
        return spent() ? Refusal.END : later();
    }

    private Refusal later() {
        attempt++;
        return Refusal.ASK_LATER;
    }

    private void askForGroup(Purpose why, Optional<SealedGroup> before, Set<DatanodeId> avoid) {
        ended = before;
        excluded = avoid;
        ask(why, callAddGroup(before, avoid));
    }

    private void ask(Purpose why, CompletableFuture<NamespaceReply> answer) {
        purpose = why;
        answer.whenComplete((reply, refusal) -> events.accept(
                refusal == null ? new WriteEvent.Granted(reply) : new WriteEvent.Refused(EcfsException.of(refusal))));
    }

    /**
     * Asks for the next group.
     *
     * @param before the group before, which ends with the same log entry
     * @param avoid datanodes that failed this writer
     */
    private CompletableFuture<NamespaceReply> callAddGroup(Optional<SealedGroup> before, Collection<DatanodeId> avoid) {
        return call(
                new NamespaceRequest.AddGroup(services.requests().next(), file.inode(), before, List.copyOf(avoid)),
                NamespaceReply.class);
    }

    /**
     * Fails unless the group is this client's to write.
     *
     * @param leftOut chunks that it is written without, though their datanodes were asked to begin them
     */
    CompletableFuture<NamespaceReply.Done> confirm(GroupId group, List<Integer> leftOut) {
        if (!leftOut.isEmpty()) {
            return call(
                    new NamespaceRequest.LeaveOut(services.requests().next(), file.inode(), group, leftOut),
                    NamespaceReply.Done.class);
        }
        return call(
                new NamespaceRequest.ConfirmGroup(
                        file.inode(), group, services.requests().client()),
                NamespaceReply.Done.class);
    }

    /** How many chunks of a group behind this one would have a place, without the datanodes that failed writers. */
    CompletableFuture<Integer> places(GroupId group) {
        String client = services.requests().client();
        return services.namenode()
                .call(
                        new NamespaceRequest.CountPlaces(file.inode(), group, client, List.copyOf(health.excluded())),
                        NamespaceReply.Places.class)
                .thenApply(NamespaceReply.Places::chunks);
    }

    /** A group of this file with other tokens to write it. */
    CompletableFuture<LocatedGroup> renewToken(GroupId group) {
        String client = services.requests().client();
        return services.namenode()
                .call(new NamespaceRequest.RenewToken(file.inode(), group, client), NamespaceReply.Allocated.class)
                .thenApply(NamespaceReply.Allocated::group);
    }

    private CompletableFuture<NamespaceReply> callSeal(SealedGroup complete) {
        return call(
                new NamespaceRequest.SealGroup(services.requests().next(), file.inode(), complete),
                NamespaceReply.class);
    }

    /**
     * Closes the file.
     *
     * @param unused nothing was ever sent to the chunks of the last group, which is dropped
     */
    private CompletableFuture<NamespaceReply> callComplete(Optional<SealedGroup> last, boolean unused) {
        return call(
                new NamespaceRequest.CompleteFile(services.requests().next(), file.inode(), last, unused),
                NamespaceReply.class);
    }

    /** Gives the file up: it disappears. */
    CompletableFuture<NamespaceReply.Done> abandon() {
        return call(
                new NamespaceRequest.AbandonFile(services.requests().next(), file.inode()), NamespaceReply.Done.class);
    }

    /**
     * Leaves the file to the namenode's recovery. Without this the lease would live as long as this client has other
     * files open.
     */
    void leaveToRecovery() {
        call(
                        new NamespaceRequest.RecoverLease(
                                services.requests().next(), file.path(), Optional.of(file.inode())),
                        NamespaceReply.Recovery.class)
                .whenComplete((reply, refusal) -> {
                    if (refusal != null) {
                        LOG.info(
                                "event=lease_left path={} inode={} reason=\"{}\"",
                                file.path(),
                                file.inode(),
                                EcfsException.of(refusal).getMessage());
                    }
                });
    }

    private <T extends NamespaceReply> CompletableFuture<T> call(NamespaceRequest request, Class<T> kind) {
        WriteSide encodes = side.get();
        long begin = services.clock().nanos();
        return services.namenode()
                .call(request, kind)
                .whenComplete((reply, refusal) -> services.times()
                        .of(file.policy())
                        .asked(encodes, services.clock().nanos() - begin));
    }
}
