package io.ecfs.namenode.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.Address;
import io.ecfs.message.AdminState;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.FeatureLevel;
import io.ecfs.message.VolumeId;
import io.ecfs.namenode.store.KeyValueStore.Transaction;
import io.ecfs.namenode.store.MemoryStore;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DatanodesTest {
    private static final DatanodeId DN1 = new DatanodeId("dn1");
    private static final DatanodeId DN2 = new DatanodeId("dn2");

    private final MemoryStore store = new MemoryStore();
    private final Transaction transaction = store.begin();

    @AfterEach
    void close() {
        transaction.close();
        store.close();
    }

    private DatanodeFacts register(DatanodeId datanode, String uuid, String... volumes) throws EcfsException {
        return Datanodes.register(transaction, datanode, uuid, new Address("host", 7), "/rack", List.of(volumes));
    }

    private static void refused(ErrorCode code, ThrowingCallable call, String message) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        EcfsException.class, e -> assertThat(e.code()).isEqualTo(code))
                .hasMessageContaining(message);
    }

    @Test
    void volumesAreNumberedInTheOrderOfTheirRegistration() throws EcfsException {
        assertThat(register(DN1, "u1", "b", "a").volumes())
                .isEqualTo(Map.of("b", new VolumeId(1), "a", new VolumeId(2)));
        assertThat(register(DN2, "u2", "c").volumes()).isEqualTo(Map.of("c", new VolumeId(3)));
        assertThat(Datanodes.ownerOf(transaction, new VolumeId(2))).contains(DN1);
        assertThat(Datanodes.ownerOf(transaction, new VolumeId(3))).contains(DN2);
        assertThat(Datanodes.ownerOf(transaction, new VolumeId(4))).isEmpty();
    }

    @Test
    void aVolumeRetainsItsNumberWhenItIsOfferedAgainOrNot() throws EcfsException {
        register(DN1, "u1", "a", "b");
        register(DN1, "u1", "b");
        assertThat(register(DN1, "u1", "c", "a").volumes())
                .isEqualTo(Map.of("a", new VolumeId(1), "b", new VolumeId(2), "c", new VolumeId(3)));
    }

    @Test
    void aDatanodeIsReadAsItRegisteredLast() throws EcfsException {
        register(DN1, "u1", "a");
        DatanodeFacts moved =
                Datanodes.register(transaction, DN1, "u1", new Address("::1", 65535), "/other/rack", List.of());
        assertThat(Datanodes.find(transaction, DN1)).contains(moved);
        assertThat(moved.address()).isEqualTo(new Address("::1", 65535));
        assertThat(moved.rack()).isEqualTo("/other/rack");
        assertThat(moved.adminState()).isEqualTo(AdminState.USUAL);
        assertThat(Datanodes.find(transaction, DN2)).isEmpty();
    }

    @Test
    void allDatanodesAreInTheOrderOfTheirNames() throws EcfsException {
        for (String name : List.of("b", "a", "B", "a1", "10", "9")) {
            register(new DatanodeId(name), "uuid" + name, "volume" + name);
        }
        assertThat(Datanodes.all(transaction).stream()
                        .map(facts -> facts.datanode().name()))
                .containsExactly("10", "9", "B", "a", "a1", "b");
    }

    @Test
    void anAdminStateIsRetainedByARegistration() throws EcfsException {
        register(DN1, "u1", "a");
        for (AdminState.State state : AdminState.State.values()) {
            Optional<Long> until = state == AdminState.State.IN_MAINTENANCE ? Optional.of(900L) : Optional.empty();
            AdminState wanted = new AdminState(state, 5, until);
            Datanodes.putAdminState(transaction, DN1, wanted);
            assertThat(Datanodes.find(transaction, DN1).orElseThrow().adminState())
                    .isEqualTo(wanted);
            assertThat(register(DN1, "u1", "a").adminState()).isEqualTo(wanted);
        }
    }

    @Test
    void aDirectoryHasOneName() throws EcfsException {
        register(DN1, "u1", "a");
        refused(
                ErrorCode.INVALID_ARGUMENT,
                () -> register(DN2, "u1"),
                "this directory is datanode dn1 and cannot register as dn2");
    }

    @Test
    void aVolumeHasOneDatanode() throws EcfsException {
        register(DN1, "u1", "a");
        refused(ErrorCode.INVALID_ARGUMENT, () -> register(DN2, "u2", "a"), "belongs to datanode dn1");
    }

    @Test
    void anAdmissionLetsOneOtherDirectoryTakeTheNameOver() throws EcfsException {
        LevelInForce.raise(transaction, FeatureLevel.RELEASE);
        register(DN1, "u1", "a");
        refused(ErrorCode.INVALID_ARGUMENT, () -> register(DN1, "u2", "b"), "'ecfs admin admit dn1'");
        Datanodes.admit(transaction, DN1);
        register(DN1, "u1", "a");
        assertThat(register(DN1, "u2", "b").volumes()).isEqualTo(Map.of("a", new VolumeId(1), "b", new VolumeId(2)));
        refused(ErrorCode.INVALID_ARGUMENT, () -> register(DN1, "u3"), "belongs to another directory");
        refused(ErrorCode.INVALID_ARGUMENT, () -> register(DN1, "u1"), "belongs to another directory");
        register(DN2, "u1");
    }

    @Test
    void onlyARegisteredNameIsAdmitted() {
        refused(ErrorCode.NOT_FOUND, () -> Datanodes.admit(transaction, DN1), "no datanode dn1 has registered");
    }
}
