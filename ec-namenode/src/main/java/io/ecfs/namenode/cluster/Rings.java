package io.ecfs.namenode.cluster;

import io.ecfs.error.EcfsException;
import io.ecfs.error.Invariant;
import io.ecfs.layout.Ring;
import io.ecfs.layout.RingId;
import io.ecfs.message.FeatureLevel;
import io.ecfs.message.VolumeId;
import io.ecfs.message.ring.RingState;
import io.ecfs.message.ring.RingVolume.Duty;
import io.ecfs.namenode.form.Numbers;
import io.ecfs.namenode.row.Keys;
import io.ecfs.namenode.row.LaterRelease;
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
 * Rings of volumes, in the table of datanodes. The first byte of a key is the kind of its row: ring by number, ring and
 * colour by volume, number of directories that name a ring by their policy, and number of a ring's groups by the most
 * writers that they tolerate.
 */
public final class Rings {
    private static final int VERSION = 1;

    private static final int RING = 'r';
    private static final int MEMBER = 'c';
    private static final int DIRECTORIES = 'n';
    private static final int GROUPS = 'g';

    private static final int ADAPTIVE = 1;
    private static final int PAUSED = 2;
    private static final int DROPPING = 4;
    private static final int FLAGS = ADAPTIVE | PAUSED | DROPPING;

    private Rings() {}

    public static Optional<RingFacts> find(View view, RingId ring) {
        byte[] row = view.get(Table.DATANODES, key(RING, ring));
        return row == null ? Optional.empty() : Optional.of(decode(ring, row));
    }

    public static Optional<RingFacts> find(View view, String name) {
        return all(view).stream().filter(ring -> ring.name().equals(name)).findFirst();
    }

    /** @throws EcfsException {@code NOT_FOUND} with the name that was probably meant */
    public static RingFacts named(View view, String name) throws EcfsException {
        Optional<RingFacts> found = find(view, name);
        if (found.isEmpty()) {
            throw RingState.unknown(
                    name, all(view).stream().map(RingFacts::name).toList());
        }
        return found.get();
    }

    /** In the order of their numbers. */
    public static List<RingFacts> all(View view) {
        List<RingFacts> all = new ArrayList<>();
        byte[] prefix = {RING};
        view.scan(Table.DATANODES, prefix, Keys.afterPrefix(prefix), (key, row) -> {
            RowReader number = new RowReader(key);
            number.u8();
            return all.add(decode(new RingId(number.i32()), row));
        });
        return all;
    }

    /** Writes a ring; a later epoch than before, or a new ring. */
    public static void put(Transaction transaction, RingFacts facts) {
        long before = find(transaction, facts.ring()).map(RingFacts::epoch).orElse(0L);
        Invariant.check(facts.epoch() > before, "%s falls from epoch %s to %s", facts.ring(), before, facts.epoch());
        int flags =
                (facts.adaptive() ? ADAPTIVE : 0) | (facts.paused() ? PAUSED : 0) | (facts.dropping() ? DROPPING : 0);
        RowWriter row = new RowWriter()
                .needs(FeatureLevel.RINGS)
                .u8(VERSION)
                .text(facts.name())
                .number(facts.epoch())
                .number(facts.shape().colours())
                .number(facts.shape().writers())
                .u8(flags)
                .number(facts.periodMillis());
        transaction.put(Table.DATANODES, key(RING, facts.ring()), LevelInForce.within(transaction, row));
        Counter.RING_CHANGES.next(transaction);
    }

    /**
     * Begins an epoch of each ring above those that a lost log may have given out: datanodes that outlive the restore
     * refuse lower ones.
     */
    public static void passEpochs(Transaction transaction, long ahead) {
        all(transaction).forEach(ring -> put(transaction, ring.later(ahead)));
    }

    /** Returns whether there was ever a ring. */
    public static boolean used(View view) {
        return Counter.RING_CHANGES.of(view) > 0;
    }

    /**
     * Drops a ring that has no volumes and directories any more. Groups may still have its number, which is never given
     * again: they count as groups in none.
     */
    public static void delete(Transaction transaction, RingFacts facts) {
        RingId ring = facts.ring();
        Invariant.check(members(transaction, ring).isEmpty(), "%s is dropped with volumes", ring);
        transaction.delete(Table.DATANODES, key(RING, ring));
        for (int most = 0; most < facts.shape().colours(); most++) {
            transaction.delete(Table.DATANODES, groups(ring, most));
        }
        Counter.RING_CHANGES.next(transaction);
    }

    private static RingFacts decode(RingId ring, byte[] bytes) {
        RowReader row = new RowReader(bytes);
        row.version(VERSION, "ring");
        String name = row.text();
        long epoch = row.number();
        Ring shape = new Ring(row.smallNumber(), row.smallNumber());
        int flags = row.u8();
        if ((flags & ~FLAGS) != 0) {
            throw new LaterRelease(ring + " has the flags " + flags + ", of which this release knows " + FLAGS);
        }
        RingFacts facts = new RingFacts(
                ring,
                name,
                epoch,
                shape,
                (flags & ADAPTIVE) != 0,
                (flags & PAUSED) != 0,
                (flags & DROPPING) != 0,
                row.number());
        row.end();
        return facts;
    }

    /** The volume's place in a ring; empty: it is in none. */
    public static Optional<RingMember> member(View view, VolumeId volume) {
        byte[] row = view.get(Table.DATANODES, key(volume));
        return row == null ? Optional.empty() : Optional.of(member(volume, row));
    }

    /** The volumes of all rings, in the order of their numbers. */
    public static List<RingMember> members(View view) {
        List<RingMember> all = new ArrayList<>();
        byte[] prefix = {MEMBER};
        view.scan(Table.DATANODES, prefix, Keys.afterPrefix(prefix), (key, row) -> {
            RowReader number = new RowReader(key);
            number.u8();
            return all.add(member(new VolumeId(number.i32()), row));
        });
        return all;
    }

    public static List<RingMember> members(View view, RingId ring) {
        return members(view).stream()
                .filter(member -> member.ring().equals(ring))
                .toList();
    }

    public static void put(Transaction transaction, RingMember member) {
        RowWriter row = new RowWriter()
                .needs(FeatureLevel.RINGS)
                .u8(VERSION)
                .number(member.ring().value());
        Numbers.RING_DUTY.write(row, member.duty());
        row.number(member.colour().map(colour -> colour + 1).orElse(0));
        transaction.put(Table.DATANODES, key(member.volume()), LevelInForce.within(transaction, row));
        Counter.RING_CHANGES.next(transaction);
    }

    public static void delete(Transaction transaction, VolumeId volume) {
        transaction.delete(Table.DATANODES, key(volume));
        Counter.RING_CHANGES.next(transaction);
    }

    private static RingMember member(VolumeId volume, byte[] bytes) {
        RowReader row = new RowReader(bytes);
        row.version(VERSION, "volume of a ring");
        RingId ring = new RingId(row.smallNumber());
        Duty duty = Numbers.RING_DUTY.read(row);
        int colour = row.smallNumber();
        row.end();
        return new RingMember(volume, ring, duty, colour == 0 ? Optional.empty() : Optional.of(colour - 1));
    }

    /**
     * How many directories name the ring, by the name of the policy that they set themselves; an empty name for those
     * that inherit it.
     */
    public static Map<String, Long> directories(View view, RingId ring) {
        Map<String, Long> byPolicy = new TreeMap<>();
        byte[] prefix = key(DIRECTORIES, ring);
        view.scan(Table.DATANODES, prefix, Keys.afterPrefix(prefix), (key, row) -> {
            String policy = new String(key, prefix.length, key.length - prefix.length, StandardCharsets.UTF_8);
            byPolicy.put(policy, new RowReader(row).number());
            return true;
        });
        return byPolicy;
    }

    /** @param policy as in {@link #directories} */
    public static void addDirectories(Transaction transaction, RingId ring, String policy, long change) {
        byte[] key = new RowWriter()
                .raw(key(DIRECTORIES, ring))
                .raw(policy.getBytes(StandardCharsets.UTF_8))
                .bytes();
        boolean before = transaction.get(Table.DATANODES, key) != null;
        add(transaction, key, change);
        if (before != (transaction.get(Table.DATANODES, key) != null)) {
            Counter.RING_CHANGES.next(transaction); // other policies bound the writers
        }
    }

    /** How many groups of the ring tolerate at most 0, 1, … writers, up to one less than its colours. */
    public static List<Long> groups(View view, RingFacts ring) {
        List<Long> byMost = new ArrayList<>();
        for (int most = 0; most < ring.shape().colours(); most++) {
            byte[] row = view.get(Table.DATANODES, groups(ring.ring(), most));
            byMost.add(row == null ? 0L : new RowReader(row).number());
        }
        return byMost;
    }

    /** @param most writers that the groups tolerate at most */
    public static void addGroups(Transaction transaction, RingId ring, int most, long change) {
        add(transaction, groups(ring, most), change);
    }

    private static void add(Transaction transaction, byte[] key, long change) {
        byte[] before = transaction.get(Table.DATANODES, key);
        long now = (before == null ? 0 : new RowReader(before).number()) + change;
        Invariant.check(now >= 0, "a count of a ring fell to %d", now);
        if (now == 0) {
            transaction.delete(Table.DATANODES, key);
            return;
        }
        RowWriter row = new RowWriter().needs(FeatureLevel.RINGS).number(now);
        transaction.put(Table.DATANODES, key, LevelInForce.within(transaction, row));
    }

    private static byte[] groups(RingId ring, int most) {
        return new RowWriter().raw(key(GROUPS, ring)).u8(most).bytes();
    }

    private static byte[] key(int kind, RingId ring) {
        return new RowWriter().u8(kind).i32(ring.value()).bytes();
    }

    private static byte[] key(VolumeId volume) {
        return new RowWriter().u8(MEMBER).i32(volume.value()).bytes();
    }
}
