package io.ecfs.namenode.namespace;

import static io.ecfs.namenode.state.Ledger.path;
import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.error.ErrorCode;
import io.ecfs.message.FeatureLevel;
import io.ecfs.message.FilePath;
import io.ecfs.message.namespace.NamespaceRequest.Delete;
import io.ecfs.message.namespace.NamespaceRequest.Mkdirs;
import io.ecfs.message.namespace.NamespaceRequest.SetMode;
import io.ecfs.message.namespace.NamespaceRequest.SetOwner;
import io.ecfs.namenode.command.CallerIdentity;
import io.ecfs.namenode.command.Command;
import io.ecfs.namenode.command.CommandResult;
import io.ecfs.namenode.state.Ledger;
import io.ecfs.namenode.store.MemoryStore;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Who may delete a directory with what others have in it (HDFS: FSPermissionChecker with subAccess). */
class SubtreeDeleteTest {
    private static final CallerIdentity ADA = new CallerIdentity("ada", List.of());
    private static final CallerIdentity BEN = new CallerIdentity("ben", List.of());

    private Ledger ledger = new Ledger(new MemoryStore());

    /** A directory that ada owns and everybody fills. */
    private void sharedDirectory(int mode) {
        ledger.done(new Mkdirs(ledger.request(), path("/home"), 0777, true));
        ledger.done(new Mkdirs(ledger.request(), path("/home/shared"), mode, true));
        ledger.done(new SetOwner(ledger.request(), path("/home/shared"), Optional.of("ada"), Optional.empty()));
    }

    private void benMakes(String directory, int mode) {
        assertThat(ledger.call(BEN, new Mkdirs(ledger.request(), path(directory), mode, true)))
                .isEqualTo(new CommandResult.Done());
    }

    @Test
    void whatAnotherUserClosedStaysWithAllThatIsAboveIt() {
        sharedDirectory(0777);
        benMakes("/home/shared/open", 0777);
        benMakes("/home/shared/open/closed", 0755);
        benMakes("/home/shared/open/closed/work", 0755);
        ledger.refused(ADA, ledger.delete("/home/shared"), ErrorCode.ACCESS_DENIED);
        ledger.refused(ADA, ledger.delete("/home/shared/open"), ErrorCode.ACCESS_DENIED);
        assertThat(ledger.status("/home/shared/open/closed/work")).isPresent();
        assertThat(ledger.call(BEN, ledger.delete("/home/shared/open/closed"))).isEqualTo(new CommandResult.Done());
        assertThat(ledger.call(ADA, ledger.delete("/home/shared"))).isEqualTo(new CommandResult.Done());
    }

    @Test
    void anEmptyDirectoryAndAFileOfAnotherUserGoWithTheDirectory() {
        sharedDirectory(0777);
        benMakes("/home/shared/empty", 0700);
        assertThat(ledger.call(BEN, ledger.create("/home/shared/file", false)))
                .isInstanceOf(CommandResult.Created.class);
        assertThat(ledger.call(ADA, ledger.delete("/home/shared"))).isEqualTo(new CommandResult.Done());
    }

    @Test
    void aStickyDirectoryBelowKeepsWhatIsOthers() {
        sharedDirectory(0777);
        benMakes("/home/shared/tmp", 01777);
        benMakes("/home/shared/tmp/bens", 0777);
        ledger.refused(ADA, ledger.delete("/home/shared"), ErrorCode.ACCESS_DENIED);
        ledger.done(new SetMode(ledger.request(), path("/home/shared/tmp"), 0777));
        assertThat(ledger.call(ADA, ledger.delete("/home/shared"))).isEqualTo(new CommandResult.Done());
    }

    @Test
    void theSuperuserDeletesEverything() {
        sharedDirectory(0777);
        benMakes("/home/shared/closed/work", 0700);
        ledger.done(ledger.delete("/home/shared"));
    }

    /** The release before must come to the same facts. */
    @Test
    void atLevelOneOnlyTheTopIsLookedAt() {
        ledger = new Ledger(new MemoryStore(), FeatureLevel.FIRST);
        sharedDirectory(0777);
        benMakes("/home/shared/closed", 0755);
        benMakes("/home/shared/closed/work", 0755);
        assertThat(ledger.call(ADA, ledger.delete("/home/shared"))).isEqualTo(new CommandResult.Done());
    }

    @Test
    @Tag("soak")
    void moreThanTheLogCanLookAtInOneStepIsDeletedInParts() {
        sharedDirectory(0777);
        benMakes("/home/shared/many", 0777);
        int together = 10_000;
        for (int first = 0; first <= 200_000; first += together) {
            ledger.applyTogether(IntStream.range(first, first + together)
                    .<Command>mapToObj(i -> ledger.command(
                            new Mkdirs(ledger.request(), new FilePath("/home/shared/many/" + i), 0755, false)))
                    .toList());
        }
        CommandResult answer = ledger.call(ADA, new Delete(ledger.request(), path("/home/shared"), true));
        ledger.refused(answer, ErrorCode.NOT_EMPTY);
        assertThat(((CommandResult.Refused) answer).message()).contains("delete the directories in it first");
        ledger.done(ledger.delete("/home/shared"));
    }
}
