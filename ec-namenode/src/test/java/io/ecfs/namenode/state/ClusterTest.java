package io.ecfs.namenode.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.error.ErrorCode;
import io.ecfs.message.Address;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.VolumeId;
import io.ecfs.message.datanode.TokenKey;
import io.ecfs.namenode.cluster.DatanodeFacts;
import io.ecfs.namenode.command.Command;
import io.ecfs.namenode.command.CommandResult;
import io.ecfs.namenode.entry.CommandCodec;
import io.ecfs.namenode.history.HistoryBounds;
import io.ecfs.namenode.log.ReplicatedState.Position;
import io.ecfs.namenode.store.MemoryStore;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The facts about the cluster as a whole. */
class ClusterTest {
    private static final Address ADDRESS = new Address("host", 1);

    private final Ledger ledger = new Ledger(new MemoryStore());

    @Test
    void theFirstFormatWinsAndNothingIsDoneBeforeIt() throws Exception {
        assertThat(ledger.apply(
                        new Command.Format(1, "another", "eve", Ledger.POLICY, Optional.empty(), Optional.empty())))
                .isEqualTo(new CommandResult.Formatted("cluster"));

        MetadataState fresh = new MetadataState(new MemoryStore());
        CommandCodec codec = new CommandCodec();
        byte[] early = codec.encode(new Command.RecordEvents(1, HistoryBounds.DEFAULT, List.of()));
        CommandResult answer =
                codec.applied(fresh.apply(new Position(1, 0), List.of(early)).get(0));
        ledger.refused(answer, ErrorCode.SAFE_MODE);
    }

    @Test
    void aDatanodeKeepsItsVolumeNumbersAndGetsNewOnesForNewVolumes() {
        CommandResult again = register("dn0", "uuid0", List.of("vol0", "new"));
        assertThat(again)
                .isEqualTo(new CommandResult.Registered(Map.of("vol0", new VolumeId(1), "new", new VolumeId(7))));
        assertThat(register("dn0", "uuid0", List.of("new"))).isEqualTo(again);
        try (MetadataView view = ledger.state.view()) {
            DatanodeFacts facts = view.datanode(new DatanodeId("dn0")).orElseThrow();
            assertThat(facts.address()).isEqualTo(ADDRESS);
            assertThat(facts.rack()).isEqualTo("/rack");
            assertThat(view.ownerOf(new VolumeId(7))).isEqualTo(Optional.of(new DatanodeId("dn0")));
            assertThat(view.datanodes()).hasSize(Ledger.DATANODES).contains(facts);
        }
    }

    @Test
    void namesDirectoriesAndVolumesBelongToOneDatanodeForGood() {
        long before = ledger.state.stateHash();
        ledger.refused(register("dn0", "other-directory", List.of()), ErrorCode.INVALID_ARGUMENT);
        ledger.refused(register("dn9", "uuid0", List.of()), ErrorCode.INVALID_ARGUMENT);
        ledger.refused(register("dn9", "uuid9", List.of("fresh", "vol0")), ErrorCode.INVALID_ARGUMENT);
        assertThat(ledger.state.stateHash()).isEqualTo(before);
    }

    @Test
    void tokenKeysRollInOrderAndExpiredOnesGo() {
        assertThat(ledger.apply(new Command.RollKeys(100, key(1, 200)))).isEqualTo(new CommandResult.Done());
        assertThat(ledger.apply(new Command.RollKeys(150, key(2, 400)))).isEqualTo(new CommandResult.Done());
        ledger.refused(ledger.apply(new Command.RollKeys(160, key(2, 500))), ErrorCode.INVALID_ARGUMENT);
        assertThat(ledger.apply(new Command.RollKeys(300, key(3, 600)))).isEqualTo(new CommandResult.Done());
        try (MetadataView view = ledger.state.view()) {
            assertThat(view.tokenKeys()).containsExactly(key(2, 400), key(3, 600));
        }
    }

    private CommandResult register(String id, String uuid, List<String> volumes) {
        return ledger.apply(new Command.RegisterDatanode(1, new DatanodeId(id), uuid, ADDRESS, "/rack", volumes));
    }

    private static TokenKey key(int id, long expires) {
        byte[] secret = new byte[TokenKey.SECRET_BYTES];
        secret[0] = (byte) id;
        return new TokenKey(id, secret, expires);
    }
}
