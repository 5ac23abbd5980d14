package io.ecfs.namenode.legacy.rows;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.error.EcfsException;
import io.ecfs.message.Address;
import io.ecfs.message.AdminState;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.report.ClusterEvent;
import io.ecfs.message.report.Incident;
import io.ecfs.message.report.IncidentCause;
import io.ecfs.namenode.cluster.Datanodes;
import io.ecfs.namenode.history.History;
import io.ecfs.namenode.row.Keys;
import io.ecfs.namenode.row.RowWriter;
import io.ecfs.namenode.store.KeyValueStore.Table;
import io.ecfs.namenode.store.KeyValueStore.Transaction;
import io.ecfs.namenode.store.KeyValueStore.View;
import io.ecfs.namenode.store.MemoryStore;
import io.ecfs.wire.codec.RecordCodec;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Rows as 6e8d76b wrote them are read, and written anew when they change. */
class LegacyRowsTest {
    private static final DatanodeId DATANODE = new DatanodeId("dn1");
    private static final IncidentCause CAUSE = IncidentCause.dead(DATANODE);

    private final MemoryStore store = new MemoryStore();

    @Test
    void anOpenIncidentIsFoundByItsCause() {
        Incident incident = Incident.opened(7, CAUSE, 1, 2);
        byte[] pointer =
                new RowWriter().u8('o').text("DATANODE_DEAD").text("dn1").i32(0).bytes();
        try (Transaction transaction = store.begin()) {
            transaction.put(
                    Table.INCIDENTS,
                    new RowWriter().u8('i').i64(7).bytes(),
                    new RowWriter()
                            .u8(1)
                            .raw(new RecordCodec().encode(incident))
                            .bytes());
            transaction.put(Table.INCIDENTS, pointer, Keys.number(7));
            transaction.commit();
        }
        try (View view = store.view()) {
            assertThat(History.incident(view, 7)).contains(incident);
            assertThat(History.goingOn(view)).containsExactly(incident);
        }
        try (Transaction transaction = store.begin()) {
            History.record(transaction, 5, new ClusterEvent.IncidentHealed(CAUSE));
            transaction.commit();
        }
        try (View view = store.view()) {
            assertThat(History.goingOn(view))
                    .singleElement()
                    .satisfies(after -> assertThat(after.id()).isEqualTo(7))
                    .satisfies(after -> assertThat(after.healedMillis()).contains(5L));
            assertThat(view.get(Table.INCIDENTS, pointer)).isNull();
            assertThat(History.incidents(view, 0, 10)).hasSize(1);
        }
    }

    @Test
    void theAdminStateOfADatanodeIsReadByItsName() throws EcfsException {
        try (Transaction transaction = store.begin()) {
            Datanodes.register(transaction, DATANODE, "uuid", new Address("host", 1), "/r", List.of());
            transaction.put(
                    Table.DATANODES,
                    new RowWriter()
                            .u8('a')
                            .raw("dn1".getBytes(StandardCharsets.UTF_8))
                            .bytes(),
                    new RowWriter().u8(1).text("IN_MAINTENANCE").i64(5).i64(9).bytes());
            transaction.commit();
        }
        AdminState adminState = new AdminState(AdminState.State.IN_MAINTENANCE, 5, Optional.of(9L));
        try (Transaction transaction = store.begin()) {
            assertThat(Datanodes.find(transaction, DATANODE).orElseThrow().adminState())
                    .isEqualTo(adminState);
            Datanodes.putAdminState(transaction, DATANODE, adminState);
            assertThat(Datanodes.find(transaction, DATANODE).orElseThrow().adminState())
                    .isEqualTo(adminState);
        }
    }
}
