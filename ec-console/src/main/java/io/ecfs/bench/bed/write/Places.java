package io.ecfs.bench.bed.write;

import io.ecfs.bench.bed.hardware.Machine;
import io.ecfs.client.write.route.MasterLoads;
import io.ecfs.message.DatanodeId;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Where groups lie and who encodes them: n different datanodes each, any as likely as the others. */
final class Places {
    private final List<Machine> datanodes;
    private final List<DatanodeId> ids = new ArrayList<>();
    private final int chunks;
    private final MasterChoice choice;
    private final SplittableRandom random;
    private final long[] encoded;
    private int groups;

    Places(List<Machine> datanodes, int chunks, MasterChoice choice, SplittableRandom random) {
        this.datanodes = datanodes;
        this.chunks = chunks;
        this.choice = choice;
        this.random = random;
        this.encoded = new long[datanodes.size()];
        for (int i = 0; i < datanodes.size(); i++) {
            ids.add(new DatanodeId("dn" + i));
        }
    }

    /**
     * A group.
     *
     * @param datanodes of its chunks
     * @param master index of its master among all datanodes
     */
    record Group(List<Machine> datanodes, int master) {}

    /** @param loads of masters, as the client of the group knows them */
    Group next(MasterLoads loads) {
        int[] all = new int[datanodes.size()];
        for (int i = 0; i < all.length; i++) {
            all[i] = i;
        }
        List<Machine> members = new ArrayList<>();
        for (int i = 0; i < chunks; i++) {
            int drawn = i + random.nextInt(all.length - i);
            int member = all[drawn];
            all[drawn] = all[i];
            all[i] = member;
            members.add(datanodes.get(member));
        }
        int first = groups++ % chunks;
        int master = switch (choice) {
            case FIXED -> all[0];
            case LESS_LOADED -> lessLoaded(all[first], all[(first + 1) % chunks], loads);
        };
        return new Group(members, master);
    }

    private int lessLoaded(int one, int other, MasterLoads loads) {
        return loads.lessLoaded(ids.get(one), ids.get(other)).equals(ids.get(one)) ? one : other;
    }

    DatanodeId master(Group group) {
        return ids.get(group.master());
    }

    void encodes(int master) {
        encoded[master]++;
    }

    /** Stripes that the busiest master encoded, of the mean over all datanodes; 0 before the first. */
    double busiestOfMean() {
        long most = 0;
        long sum = 0;
        for (long count : encoded) {
            most = Math.max(most, count);
            sum += count;
        }
        return sum == 0 ? 0 : most * (double) encoded.length / sum;
    }

    boolean fixed() {
        return choice == MasterChoice.FIXED;
    }

    Machine datanode(int number) {
        return datanodes.get(number);
    }
}
