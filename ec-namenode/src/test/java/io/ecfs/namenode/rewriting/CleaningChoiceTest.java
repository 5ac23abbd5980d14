package io.ecfs.namenode.rewriting;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.layout.GroupId;
import io.ecfs.namenode.settings.RewriteSettings;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class CleaningChoiceTest {
    private static final int FILES_OF_A_PACK = 50;
    private static final int FILES = 20_000;
    private static final RewriteSettings SETTINGS = RewriteSettings.defaults();

    private static CleaningChoice choice(long last) {
        return new CleaningChoice(SETTINGS, last);
    }

    @Test
    void nothingIsCleanedWhileLittleIsDead() {
        CleaningChoice choice = choice(10);
        choice.add(new GroupId(1), 100, 10);
        choice.add(new GroupId(2), 1000, 1000);
        assertThat(choice.chosen()).isEmpty();
    }

    @Test
    void packsWithLessLiveBytesComeFirstAndOlderOnesAmongEqual() {
        CleaningChoice choice = choice(10);
        choice.add(new GroupId(4), 100, 59);
        choice.add(new GroupId(5), 100, 30);
        choice.add(new GroupId(6), 100, 30);
        choice.add(new GroupId(7), 100, 61);
        assertThat(choice.chosen())
                .as("59 % live, and 60 % is too much; then few enough are dead")
                .containsExactly(new GroupId(5), new GroupId(6));
    }

    /** Files of a pack that are left, and how many it had. */
    private record Pack(Set<Integer> live, int length) {}

    /** Packs of equal files: each round deletes some, writes as many, and cleans. */
    private static final class Store {
        final Random random = new Random(7);
        final TreeMap<Long, Pack> packs = new TreeMap<>();
        final Map<Integer, Long> where = new TreeMap<>();
        /** The open pack of each client: hot and cold files are of different ones. */
        final List<Set<Integer>> filling = List.of(new HashSet<>(), new HashSet<>());

        long last;
        int nextFile;
        long copied;
        long freed;

        void write(int file, boolean hot) {
            Set<Integer> open = filling.get(hot ? 1 : 0);
            open.add(file);
            if (open.size() == FILES_OF_A_PACK) {
                seal(new HashSet<>(open));
                open.clear();
            }
        }

        void seal(Set<Integer> files) {
            packs.put(++last, new Pack(files, files.size()));
            files.forEach(file -> where.put(file, last));
        }

        void delete(int file) {
            Long pack = where.remove(file);
            if (pack == null) {
                filling.forEach(open -> open.remove(file));
                return;
            }
            Pack of = packs.get(pack);
            of.live().remove(file);
            if (of.live().isEmpty()) {
                packs.remove(pack);
                freed += of.length();
            }
        }

        void clean() {
            CleaningChoice choice = choice(last);
            packs.forEach((number, pack) ->
                    choice.add(new GroupId(number), pack.length(), pack.live().size()));
            List<Integer> left = new ArrayList<>();
            for (GroupId group : choice.chosen()) {
                Pack pack = packs.remove(group.value());
                left.addAll(pack.live());
                copied += pack.live().size();
                freed += pack.length() - pack.live().size();
            }
            for (int i = 0; i < left.size(); i += FILES_OF_A_PACK) {
                seal(new HashSet<>(left.subList(i, Math.min(left.size(), i + FILES_OF_A_PACK))));
            }
        }

        long stored() {
            return packs.values().stream().mapToLong(Pack::length).sum();
        }
    }

    /**
     * Bytes copied for each that is freed once the store is in its steady state.
     *
     * @param hotShare of the files that get so many deletes
     */
    private static double cost(double hotShare, double deletesOfHot) {
        Store store = new Store();
        List<Integer> hot = new ArrayList<>();
        List<Integer> cold = new ArrayList<>();
        for (int i = 0; i < FILES; i++) {
            boolean isHot = store.random.nextDouble() < hotShare;
            (isHot ? hot : cold).add(store.nextFile);
            store.write(store.nextFile++, isHot);
        }
        for (int round = 0; round < 500; round++) {
            if (round == 200) {
                store.copied = 0;
                store.freed = 0;
            }
            for (int i = 0; i < FILES / 100; i++) {
                List<Integer> kind = store.random.nextDouble() < deletesOfHot ? hot : cold;
                int at = store.random.nextInt(kind.size());
                store.delete(kind.get(at));
                kind.set(at, store.nextFile);
                store.write(store.nextFile++, kind == hot);
            }
            store.clean();
            assertThat(store.stored()).as("space that packs take").isLessThan((long) (1.5 * FILES));
        }
        return (double) store.copied / store.freed;
    }

    @Test
    void skewedDeletesCostLessThanEvenOnes() {
        double even = cost(0.5, 0.5);
        double skewed = cost(0.2, 0.8);
        assertThat(even).as("for each byte freed").isBetween(0.7, 0.9);
        assertThat(skewed)
                .as("80 %% of the deletes in 20 %% of the files; evenly %s", even)
                .isBetween(0.45, 0.6);
    }
}
