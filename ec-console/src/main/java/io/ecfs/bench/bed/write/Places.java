package io.ecfs.bench.bed.write;

import io.ecfs.bench.bed.hardware.Machine;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Where groups lie and who encodes them: n different datanodes each, any as likely as the others. */
final class Places {
    private final List<Machine> datanodes;
    private final int chunks;
    private final MasterChoice choice;
    private final SplittableRandom random;
    private final long[] open; // groups for which each datanode is the master now
    private final long[] encoded;

    Places(List<Machine> datanodes, int chunks, MasterChoice choice, SplittableRandom random) {
        this.datanodes = datanodes;
        this.chunks = chunks;
        this.choice = choice;
        this.random = random;
        this.open = new long[datanodes.size()];
        this.encoded = new long[datanodes.size()];
    }

    /**
     * A group.
     *
     * @param datanodes of its chunks
     * @param master index of its master among all datanodes
     */
    record Group(List<Machine> datanodes, int master) {}

    /** @param number of the group in its client's order, from 0 */
    Group next(long number) {
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
        int master = switch (choice) {
            case FIXED -> all[0];
            case ROTATE -> all[(int) (number % chunks)];
            case TWO -> lessLoaded(all, random.nextInt(chunks), random.nextInt(chunks - 1));
        };
        return new Group(members, master);
    }

    /** @param skipped counts the others of the group, without the first one */
    private int lessLoaded(int[] members, int first, int skipped) {
        int one = members[first];
        int other = members[skipped < first ? skipped : skipped + 1];
        return open[one] <= open[other] ? one : other;
    }

    /** A writer goes on in this group. */
    void opens(Group group) {
        open[group.master]++;
    }

    void closes(Group group) {
        open[group.master]--;
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
