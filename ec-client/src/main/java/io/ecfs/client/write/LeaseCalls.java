package io.ecfs.client.write;

import io.ecfs.error.EcfsException;
import io.ecfs.layout.GroupId;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.chunk.BlockToken;
import io.ecfs.message.namespace.FileStatus;
import io.ecfs.message.namespace.NamespaceReply;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.message.namespace.SealedGroup;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the holder of a file's lease asks the namenode. Each change is a mutation with a request id of its own. */
final class LeaseCalls {
    private static final Logger LOG = LoggerFactory.getLogger(LeaseCalls.class);

    private final WriteServices services;
    private final FileStatus file;

    LeaseCalls(WriteServices services, FileStatus file) {
        this.services = services;
        this.file = file;
    }

    /**
     * Asks for the next group.
     *
     * @param word about the group before, which ends with the same log entry
     * @param avoid datanodes that failed this writer
     */
    CompletableFuture<NamespaceReply> addGroup(Optional<SealedGroup> word, Collection<DatanodeId> avoid) {
        return ask(
                new NamespaceRequest.AddGroup(services.requests().next(), file.inode(), word, List.copyOf(avoid)),
                NamespaceReply.class);
    }

    /**
     * Fails unless the group is this client's to write.
     *
     * @param without chunks that it is written without, though their datanodes were asked to begin them
     */
    CompletableFuture<NamespaceReply.Done> confirm(GroupId group, List<Integer> without) {
        if (!without.isEmpty()) {
            return ask(
                    new NamespaceRequest.LeaveOut(services.requests().next(), file.inode(), group, without),
                    NamespaceReply.Done.class);
        }
        return ask(
                new NamespaceRequest.ConfirmGroup(
                        file.inode(), group, services.requests().client()),
                NamespaceReply.Done.class);
    }

    /** Another token to write a group of this file. */
    CompletableFuture<BlockToken> renewToken(GroupId group) {
        String client = services.requests().client();
        return services.namenode()
                .call(new NamespaceRequest.RenewToken(file.inode(), group, client), NamespaceReply.Allocated.class)
                .thenApply(given -> given.group().token());
    }

    CompletableFuture<NamespaceReply> seal(SealedGroup word) {
        return ask(
                new NamespaceRequest.SealGroup(services.requests().next(), file.inode(), word), NamespaceReply.class);
    }

    /**
     * Closes the file.
     *
     * @param unused nothing was ever sent to the chunks of the last group, which is dropped
     */
    CompletableFuture<NamespaceReply> complete(Optional<SealedGroup> last, boolean unused) {
        return ask(
                new NamespaceRequest.CompleteFile(services.requests().next(), file.inode(), last, unused),
                NamespaceReply.class);
    }

    /** Gives the file up: it disappears. */
    CompletableFuture<NamespaceReply.Done> abandon() {
        return ask(
                new NamespaceRequest.AbandonFile(services.requests().next(), file.inode()), NamespaceReply.Done.class);
    }

    /**
     * Leaves the file to the namenode's recovery. Without this the lease would live as long as this client has other
     * files open.
     */
    void letGo() {
        ask(
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

    private <T extends NamespaceReply> CompletableFuture<T> ask(NamespaceRequest request, Class<T> kind) {
        return services.times().asking(services.namenode().call(request, kind));
    }
}
