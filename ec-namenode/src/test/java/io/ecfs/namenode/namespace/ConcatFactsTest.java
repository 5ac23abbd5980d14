package io.ecfs.namenode.namespace;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.error.ErrorCode;
import io.ecfs.message.FilePath;
import io.ecfs.message.namespace.NamespaceRequest.Concat;
import io.ecfs.message.namespace.NamespaceRequest.SetMode;
import io.ecfs.message.namespace.NamespaceRequest.SetOwner;
import io.ecfs.namenode.command.CallerIdentity;
import io.ecfs.namenode.command.CommandResult;
import io.ecfs.namenode.state.Ledger;
import io.ecfs.namenode.store.MemoryStore;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A concat takes its sources away, so it needs what a deletion of them needs. */
class ConcatFactsTest {
    private static final CallerIdentity ALICE = new CallerIdentity("alice", List.of());

    private final Ledger ledger = new Ledger(new MemoryStore());

    private void directory(String path, int mode) {
        ledger.done(ledger.mkdirs(path));
        ledger.done(new SetMode(ledger.request(), new FilePath(path), mode));
    }

    private void file(String path, String owner) {
        ledger.write(path, 100);
        ledger.done(new SetMode(ledger.request(), new FilePath(path), 0666));
        ledger.done(new SetOwner(ledger.request(), new FilePath(path), Optional.of(owner), Optional.empty()));
    }

    private Concat concat(String source) {
        return new Concat(ledger.request(), new FilePath("/target"), List.of(new FilePath(source)));
    }

    @Test
    void sourcesInAStickyOrReadOnlyDirectoryStayWhereTheyAre() {
        file("/target", "alice");
        directory("/sticky", 01777);
        file("/sticky/bobs", "bob");
        ledger.refused(ALICE, concat("/sticky/bobs"), ErrorCode.ACCESS_DENIED);
        directory("/fixed", 0755);
        file("/fixed/own", "alice");
        ledger.refused(ALICE, concat("/fixed/own"), ErrorCode.ACCESS_DENIED);
        assertThat(ledger.status("/sticky/bobs")).isPresent();
        assertThat(ledger.status("/fixed/own")).isPresent();

        directory("/shared", 0777);
        file("/shared/bobs", "bob");
        assertThat(ledger.call(ALICE, concat("/shared/bobs"))).isNotInstanceOf(CommandResult.Refused.class);
        assertThat(ledger.status("/shared/bobs")).isEmpty();
    }
}
