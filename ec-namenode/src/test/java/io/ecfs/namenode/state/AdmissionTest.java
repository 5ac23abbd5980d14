package io.ecfs.namenode.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.error.ErrorCode;
import io.ecfs.message.Address;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.FeatureLevel;
import io.ecfs.message.VolumeId;
import io.ecfs.message.namespace.NamespaceRequest.AdmitDatanode;
import io.ecfs.namenode.cluster.DatanodeFacts;
import io.ecfs.namenode.command.CallerIdentity;
import io.ecfs.namenode.command.Command;
import io.ecfs.namenode.command.CommandResult;
import io.ecfs.namenode.store.MemoryStore;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Under whose name which directory may register. */
class AdmissionTest {
    private static final DatanodeId DN = new DatanodeId("dn3");

    private final Ledger ledger = new Ledger(new MemoryStore());

    @BeforeEach
    void raise() {
        ledger.apply(new Command.RaiseLevel(ledger.now, FeatureLevel.PROVED_PEERS));
    }

    private CommandResult register(String name, String uuid, String volume) {
        return ledger.apply(new Command.RegisterDatanode(
                ledger.now, new DatanodeId(name), uuid, new Address("new", 9000), "/r", List.of(volume)));
    }

    private void refused(CommandResult applied, String says) {
        ledger.refused(applied, ErrorCode.INVALID_ARGUMENT);
        assertThat(((CommandResult.Refused) applied).message())
                .contains(says)
                .doesNotContain("uuid", "vol3", "fresh", "\n");
    }

    @Test
    void aNameIsTakenOverOnceAndByOneDirectory() {
        refused(register("dn3", "uuid-fresh", "fresh"), "ecfs admin admit dn3");
        ledger.done(new AdmitDatanode(ledger.request(), DN));
        refused(register("dn4", "uuid-fresh", "fresh"), "ecfs admin admit dn4");
        assertThat(register("dn3", "uuid-fresh", "fresh"))
                .isEqualTo(new CommandResult.Registered(Map.of("vol3", new VolumeId(4), "fresh", new VolumeId(7))));
        refused(register("dn3", "uuid3", "vol3"), "another directory");
        refused(register("dn3", "uuid-third", "third"), "another directory");
        try (MetadataView view = ledger.state.view()) {
            DatanodeFacts facts = view.datanode(DN).orElseThrow();
            assertThat(facts.uuid()).isEqualTo("uuid-fresh");
            assertThat(facts.address()).isEqualTo(new Address("new", 9000));
        }
    }

    @Test
    void theOldDirectoryMayReturnWithoutUsingTheAdmission() {
        ledger.done(new AdmitDatanode(ledger.request(), DN));
        assertThat(register("dn3", "uuid3", "vol3")).isInstanceOf(CommandResult.Registered.class);
        assertThat(register("dn3", "uuid-fresh", "fresh")).isInstanceOf(CommandResult.Registered.class);
    }

    @Test
    void directoriesAndVolumesOfOthersAreRefusedByName() {
        ledger.done(new AdmitDatanode(ledger.request(), DN));
        refused(register("dn3", "uuid4", "fresh"), "this directory is datanode dn4");
        refused(register("dn3", "uuid-fresh", "vol4"), "belongs to datanode dn4");
    }

    @Test
    void onlyTheSuperuserAdmitsAndOnlyWhatIsKnown() {
        ledger.refused(
                ledger.call(new CallerIdentity("ann", List.of("staff")), new AdmitDatanode(ledger.request(), DN)),
                ErrorCode.ACCESS_DENIED);
        ledger.refused(ledger.call(new AdmitDatanode(ledger.request(), new DatanodeId("dn9"))), ErrorCode.NOT_FOUND);
        refused(register("dn3", "uuid-fresh", "fresh"), "another directory");
    }
}
