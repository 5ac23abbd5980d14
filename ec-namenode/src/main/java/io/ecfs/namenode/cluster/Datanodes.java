package io.ecfs.namenode.cluster;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.Address;
import io.ecfs.message.AdminState;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.FeatureLevel;
import io.ecfs.message.VolumeId;
import io.ecfs.namenode.form.Numbers;
import io.ecfs.namenode.legacy.rows.LegacyRows;
import io.ecfs.namenode.row.Keys;
import io.ecfs.namenode.row.RowReader;
import io.ecfs.namenode.row.RowWriter;
import io.ecfs.namenode.store.KeyValueStore.Table;
import io.ecfs.namenode.store.KeyValueStore.Transaction;
import io.ecfs.namenode.store.KeyValueStore.View;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The registry of datanodes and volumes. The first byte of a key is the kind of its row: datanode by name, name by
 * directory uuid, name by volume number, volume number and name by volume uuid, the admin state by name, and by name
 * the permission that another directory takes it over.
 */
public final class Datanodes {
    private static final int VERSION = 1;
    /** Version 1 had the name of the state: {@link LegacyRows#adminState}. */
    private static final int ADMIN_STATE_VERSION = 2;

    private static final int BY_NAME = 'd';
    private static final int BY_UUID = 'u';
    private static final int BY_VOLUME = 'v';
    private static final int BY_VOLUME_UUID = 'w';
    private static final int ADMIN_STATE = 'a';
    private static final int ADMITTED = 'm';

    private Datanodes() {}

    public static Optional<DatanodeFacts> find(View view, DatanodeId datanode) {
        byte[] row = view.get(Table.DATANODES, key(BY_NAME, datanode.name()));
        return row == null ? Optional.empty() : Optional.of(decode(datanode, row, adminState(view, datanode)));
    }

    /** The datanode that has the volume. */
    public static Optional<DatanodeId> ownerOf(View view, VolumeId volume) {
        byte[] row = view.get(Table.DATANODES, key(volume));
        return row == null ? Optional.empty() : Optional.of(new DatanodeId(new RowReader(row).text()));
    }

    /** All datanodes in the order of their names. */
    public static List<DatanodeFacts> all(View view) {
        List<DatanodeFacts> all = new ArrayList<>();
        byte[] prefix = {BY_NAME};
        view.scan(Table.DATANODES, prefix, Keys.afterPrefix(prefix), (key, row) -> {
            String name = new String(key, 1, key.length - 1, StandardCharsets.UTF_8);
            DatanodeId datanode = new DatanodeId(name);
            return all.add(decode(datanode, row, adminState(view, datanode)));
        });
        return all;
    }

    private static AdminState adminState(View view, DatanodeId datanode) {
        byte[] bytes = view.get(Table.DATANODES, key(ADMIN_STATE, datanode.name()));
        if (bytes == null) {
            return AdminState.USUAL;
        }
        RowReader row = new RowReader(bytes);
        boolean legacy = LegacyRows.wrote(bytes);
        row.version(legacy ? VERSION : ADMIN_STATE_VERSION, "admin state");
        AdminState.State state = legacy ? LegacyRows.adminState(row) : Numbers.ADMIN_STATE.read(row);
        long since = row.i64();
        long until = row.i64();
        row.end();
        return new AdminState(state, since, until == 0 ? Optional.empty() : Optional.of(until));
    }

    /** From now on this is wanted of a datanode that is registered. */
    public static void putAdminState(Transaction transaction, DatanodeId datanode, AdminState adminState) {
        RowWriter row = new RowWriter().u8(ADMIN_STATE_VERSION);
        Numbers.ADMIN_STATE.write(row, adminState.state());
        row.i64(adminState.sinceMillis()).i64(adminState.untilMillis().orElse(0L));
        transaction.put(Table.DATANODES, key(ADMIN_STATE, datanode.name()), row.bytes());
    }

    /**
     * Binds the name to the directory, numbers new volumes and notes address and rack.
     *
     * @return the facts after it
     * @throws EcfsException {@code INVALID_ARGUMENT} when name, directory or a volume belong to another
     */
    public static DatanodeFacts register(
            Transaction transaction,
            DatanodeId datanode,
            String uuid,
            Address address,
            String rack,
            List<String> offered)
            throws EcfsException {
        Optional<DatanodeFacts> before = find(transaction, datanode);
        byte[] named = transaction.get(Table.DATANODES, key(BY_UUID, uuid));
        if (named != null && !new RowReader(named).text().equals(datanode.name())) {
            throw new EcfsException(
                    ErrorCode.INVALID_ARGUMENT,
                    "this directory is datanode " + new RowReader(named).text() + " and cannot register as "
                            + datanode);
        }
        if (before.isPresent() && !before.get().uuid().equals(uuid)) {
            takeOver(transaction, before.get());
        }
        Map<String, VolumeId> volumes =
                new TreeMap<>(before.map(DatanodeFacts::volumes).orElse(Map.of()));
        for (String volume : offered) {
            if (!volumes.containsKey(volume)) {
                volumes.put(volume, addVolume(transaction, datanode, volume));
            }
        }
        DatanodeFacts facts = new DatanodeFacts(
                datanode,
                uuid,
                address,
                rack,
                volumes,
                before.map(DatanodeFacts::adminState).orElse(AdminState.USUAL));
        transaction.put(
                Table.DATANODES,
                key(BY_UUID, uuid),
                new RowWriter().text(datanode.name()).bytes());
        transaction.put(Table.DATANODES, key(BY_NAME, datanode.name()), encode(facts));
        return facts;
    }

    /** Another directory takes a name over once, after an operator admitted it because the machine was replaced. */
    private static void takeOver(Transaction transaction, DatanodeFacts before) throws EcfsException {
        byte[] admitted = key(ADMITTED, before.datanode().name());
        if (transaction.get(Table.DATANODES, admitted) == null) {
            throw new EcfsException(
                    ErrorCode.INVALID_ARGUMENT,
                    "datanode id " + before.datanode()
                            + " belongs to another directory: give this one another id; where the"
                            + " machine was replaced, 'ecfs admin admit " + before.datanode()
                            + "' lets it take the id over");
        }
        transaction.delete(Table.DATANODES, admitted);
        transaction.delete(Table.DATANODES, key(BY_UUID, before.uuid()));
    }

    /**
     * The next directory that registers under this name takes it over.
     *
     * @throws EcfsException {@code NOT_FOUND} for a datanode that never registered
     */
    public static void admit(Transaction transaction, DatanodeId datanode) throws EcfsException {
        if (find(transaction, datanode).isEmpty()) {
            throw new EcfsException(
                    ErrorCode.NOT_FOUND,
                    "no datanode " + datanode + " has registered: a new one needs the join token and no admission");
        }
        transaction.put(
                Table.DATANODES,
                key(ADMITTED, datanode.name()),
                LevelInForce.within(
                        transaction,
                        new RowWriter().needs(FeatureLevel.PROVED_PEERS).u8(VERSION)));
    }

    private static VolumeId addVolume(Transaction transaction, DatanodeId datanode, String uuid) throws EcfsException {
        byte[] key = key(BY_VOLUME_UUID, uuid);
        byte[] taken = transaction.get(Table.DATANODES, key);
        if (taken != null) {
            throw new EcfsException(
                    ErrorCode.INVALID_ARGUMENT,
                    "a volume that " + datanode + " offers belongs to datanode " + new RowReader(taken).text()
                            + ": it cannot register at another one");
        }
        VolumeId volume = new VolumeId(Math.toIntExact(Counter.LAST_VOLUME.next(transaction)));
        byte[] owner = new RowWriter().text(datanode.name()).bytes();
        transaction.put(Table.DATANODES, key, owner);
        transaction.put(Table.DATANODES, key(volume), owner);
        return volume;
    }

    private static byte[] key(int kind, String name) {
        return new RowWriter()
                .u8(kind)
                .raw(name.getBytes(StandardCharsets.UTF_8))
                .bytes();
    }

    private static byte[] key(VolumeId volume) {
        return new RowWriter().u8(BY_VOLUME).i32(volume.value()).bytes();
    }

    private static byte[] encode(DatanodeFacts facts) {
        RowWriter row = new RowWriter()
                .u8(VERSION)
                .text(facts.uuid())
                .text(facts.address().toString())
                .text(facts.rack())
                .number(facts.volumes().size());
        facts.volumes().forEach((uuid, volume) -> row.text(uuid).number(volume.value()));
        return row.bytes();
    }

    private static DatanodeFacts decode(DatanodeId datanode, byte[] bytes, AdminState adminState) {
        RowReader row = new RowReader(bytes);
        row.version(VERSION, "datanode");
        String uuid = row.text();
        Address address = Address.parse(row.text());
        String rack = row.text();
        Map<String, VolumeId> volumes = new TreeMap<>();
        for (int left = row.smallNumber(); left > 0; left--) {
            volumes.put(row.text(), new VolumeId(row.smallNumber()));
        }
        row.end();
        return new DatanodeFacts(datanode, uuid, address, rack, volumes, adminState);
    }
}
