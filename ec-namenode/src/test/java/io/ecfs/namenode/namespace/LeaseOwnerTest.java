package io.ecfs.namenode.namespace;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.InodeId;
import io.ecfs.message.FeatureLevel;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.message.namespace.NamespaceRequest.Mutation;
import io.ecfs.namenode.command.CallerIdentity;
import io.ecfs.namenode.command.Command;
import io.ecfs.namenode.command.CommandResult;
import io.ecfs.namenode.namespace.inode.Lease;
import io.ecfs.namenode.state.Ledger;
import io.ecfs.namenode.state.MetadataView;
import io.ecfs.namenode.store.MemoryStore;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A client's id is no credential: its user has the lease. */
class LeaseOwnerTest {
    private static final CallerIdentity ADA = new CallerIdentity("ada", List.of());
    private static final CallerIdentity EVE = new CallerIdentity("eve", List.of());

    private final MemoryStore store = new MemoryStore();
    private Ledger ledger = new Ledger(store);

    @AfterEach
    void close() {
        store.close();
    }

    private CommandResult.Created adasFile() {
        ledger.done(ledger.mkdirs("/hidden"));
        ledger.done(new NamespaceRequest.SetOwner(
                ledger.request(), Ledger.path("/hidden"), Optional.of("ada"), Optional.empty()));
        ledger.done(new NamespaceRequest.SetMode(ledger.request(), Ledger.path("/hidden"), 0700));
        return (CommandResult.Created) ledger.call(ADA, ledger.create("/hidden/plan", false));
    }

    /** All that a writer says of its open file. */
    private Stream<Mutation> wordsOfAWriter(CommandResult.Created file) {
        InodeId inode = file.status().inode();
        return Stream.of(
                new NamespaceRequest.AddGroup(
                        ledger.request(), inode, Optional.of(Ledger.sealed(file.first(), 100)), List.of()),
                new NamespaceRequest.SealGroup(ledger.request(), inode, Ledger.sealed(file.first(), 100)),
                new NamespaceRequest.LeaveOut(
                        ledger.request(), inode, file.first().group(), List.of(0)),
                new NamespaceRequest.RecoverLease(ledger.request(), Ledger.path("/anything"), Optional.of(inode)),
                new NamespaceRequest.AbandonFile(ledger.request(), inode),
                ledger.complete(file, 100));
    }

    @Test
    void anotherUserDoesNothingWithAWritersIdAndLearnsNothing() {
        CommandResult.Created file = adasFile();
        wordsOfAWriter(file).forEach(word -> {
            CommandResult answer = ledger.call(EVE, word);
            ledger.refused(answer, ErrorCode.LEASE_CONFLICT);
            assertThat(((CommandResult.Refused) answer).message())
                    .as(word.toString())
                    .contains("it is being written by another client")
                    .doesNotContain(file.status().path().name(), "ada");
        });
        assertThat(confirm(EVE, file)).contains("it is being written by another client");
        assertThat(confirm(ADA, file)).isEmpty();
        assertThat(ledger.call(ADA, ledger.complete(file, 100))).isInstanceOf(CommandResult.Status.class);
    }

    @Test
    void theSuperuserActsForAWriter() {
        CommandResult.Created file = adasFile();
        assertThat(ledger.call(Ledger.ROOT, ledger.complete(file, 100))).isInstanceOf(CommandResult.Status.class);
    }

    @Test
    void aHoldersIdIsNotInAnyRefusal() {
        CommandResult.Created file = adasFile();
        ledger.done(new NamespaceRequest.SetMode(ledger.request(), Ledger.path("/hidden"), 0777));
        ledger.done(new NamespaceRequest.SetMode(ledger.request(), Ledger.path("/hidden/plan"), 0666));
        List<Mutation> others = List.of(
                new NamespaceRequest.Create(
                        ledger.request("other"), Ledger.path("/hidden/plan"), 0644, true, true, Optional.empty()),
                new NamespaceRequest.Append(ledger.request("other"), Ledger.path("/hidden/plan")),
                new NamespaceRequest.Truncate(
                        ledger.request("other"), Ledger.path("/hidden/plan"), 0, Optional.empty()),
                new NamespaceRequest.SealGroup(
                        ledger.request("other"), file.status().inode(), Ledger.sealed(file.first(), 100)));
        for (Mutation other : others) {
            CommandResult answer = ledger.call(EVE, other);
            ledger.refused(answer, ErrorCode.LEASE_CONFLICT);
            assertThat(((CommandResult.Refused) answer).message())
                    .contains("it is being written by another client")
                    .doesNotContain("client client");
        }
    }

    /** So that namenodes of the release before can go on with it. */
    @Test
    void aLeaseOfLevelOneHasNoUserAndKeepsWorkingAboveIt() throws EcfsException {
        try (MemoryStore before = new MemoryStore()) {
            ledger = new Ledger(before, FeatureLevel.FIRST);
            CommandResult.Created old = adasFile();
            assertThat(lease(old).user()).isEmpty();
            ledger.apply(new Command.RaiseLevel(ledger.now, FeatureLevel.OF_USERS));
            assertThat(lease(old).user()).isEmpty();
            CommandResult.Created present =
                    (CommandResult.Created) ledger.call(ADA, ledger.create("/hidden/next", false));
            assertThat(lease(present).user()).contains("ada");
            assertThat(ledger.call(ADA, ledger.complete(old, 100))).isInstanceOf(CommandResult.Status.class);
            ledger.refused(ledger.call(EVE, ledger.complete(present, 100)), ErrorCode.LEASE_CONFLICT);
            assertThat(ledger.call(ADA, ledger.complete(present, 100))).isInstanceOf(CommandResult.Status.class);
        }
    }

    private Lease lease(CommandResult.Created file) throws EcfsException {
        try (MetadataView view = ledger.state.view()) {
            return view.namespace().lease(file.status().inode()).orElseThrow();
        }
    }

    /** @return why not; empty when it is confirmed */
    private String confirm(CallerIdentity caller, CommandResult.Created file) {
        try (MetadataView view = ledger.state.view()) {
            view.namespace()
                    .requireWriter("client", file.status().inode(), file.first().group(), caller);
            return "";
        } catch (EcfsException e) {
            return e.getMessage();
        }
    }
}
