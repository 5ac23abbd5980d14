package io.ecfs.patch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.error.Invariant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PatchMapTest {
    private static final int KIB = 1024;

    @Test
    void isAsPlainArraysAfterAMillionRandomChanges() {
        int bytes = 16 * KIB;
        int sources = 5;
        Random random = new Random(20_241_117);
        PatchMap map = new PatchMap();
        PlainFile file = new PlainFile(bytes);
        PatchMap earlier = map.snapshot();
        PlainFile earlierFile = new PlainFile(file);
        int most = 0;
        for (int change = 1; change <= 1_000_000; change++) {
            int position = change(map, file, bytes, sources, random);
            file.requireAt(map, position);
            file.requireAt(map, random.nextInt(bytes));
            if (change % 20_000 == 0) {
                file.requireSame(map, sources);
                earlierFile.requireSame(earlier, sources);
                int from = random.nextInt(bytes);
                file.requireRanges(map, from, from + random.nextInt(bytes - from));
                most = Math.max(most, map.entries());
                earlier = map.snapshot();
                earlierFile = new PlainFile(file);
                for (int own = 0; own < 10; own++) {
                    change(earlier, earlierFile, bytes, sources, random);
                }
            }
        }
        assertThat(most).as("entries in many leaves").isGreaterThan(8 * Leaf.CAPACITY);
    }

    /** One change of map and file alike; returns a position in its neighbourhood. */
    private static int change(PatchMap map, PlainFile file, int bytes, int sources, Random random) {
        int position = random.nextInt(bytes);
        int kind = random.nextInt(20_000);
        if (kind == 0) {
            map.truncate(position);
            file.truncate(position);
        } else if (kind < 5) {
            int to = position + random.nextInt(bytes - position);
            map.clear(position, to);
            file.clear(position, to);
        } else {
            int bound = kind < 10 ? bytes : kind < 4_000 ? 16 : 3;
            int length = 1 + random.nextInt(Math.min(bound, bytes - position));
            int source = random.nextInt(sources);
            long offset = source < 2 ? position : random.nextInt(1 << 20); // of the first two many continue each other
            map.put(position, length, source, offset);
            file.put(position, length, source, offset);
        }
        return Math.max(0, position - 1);
    }

    @Test
    void isRightAfterEveryFourChangesOfSixBytes() {
        descend(new PatchMap(), new PlainFile(6), 0);
    }

    private static void descend(PatchMap map, PlainFile file, int depth) {
        if (depth == 4) {
            file.requireSame(map, 2);
            return;
        }
        for (int from = 0; from < 6; from++) {
            PatchMap cut = map.snapshot();
            PlainFile cutFile = new PlainFile(file);
            cut.truncate(from);
            cutFile.truncate(from);
            descend(cut, cutFile, depth + 1);
            for (int to = from + 1; to <= 6; to++) {
                PatchMap next = map.snapshot();
                PlainFile nextFile = new PlainFile(file);
                next.put(from, to - from, depth % 2, from);
                nextFile.put(from, to - from, depth % 2, from);
                descend(next, nextFile, depth + 1);
            }
        }
    }

    @Test
    void joinsWhatContinuesInFileAndSource() {
        PatchMap map = new PatchMap();
        map.put(100, 10, 3, 1_000);
        map.put(120, 10, 3, 1_020);
        assertThat(map.entries()).isEqualTo(2);
        map.put(110, 10, 3, 1_010);
        assertThat(map.entries()).isEqualTo(1);
        assertThat(map.at(105)).isEqualTo(new Piece(105, 25, 3, 1_005));
        map.put(130, 10, 4, 1_030);
        map.put(140, 10, 4, 1_050);
        assertThat(map.entries()).isEqualTo(3);
    }

    @Test
    void joinsUpToTheLongestEntry() {
        PatchMap map = new PatchMap();
        int half = PatchMap.MAX_PIECE_BYTES / 2;
        map.put(0, half, 0, 0);
        map.put(2L * half, 1, 0, 2L * half);
        map.put(half, half, 0, half);
        assertThat(map.entries()).isEqualTo(2);
        assertThat(map.at(0).length()).isEqualTo(PatchMap.MAX_PIECE_BYTES);
        map.put(2L * half, 1, 0, 2L * half);
        assertThat(map.at(0).length()).isEqualTo(PatchMap.MAX_PIECE_BYTES);
    }

    @Test
    void doesNotJoinTheEndOfOneSourceWithTheBeginOfTheNext() {
        PatchMap map = new PatchMap();
        map.put(0, 10, 0, PatchMap.MAX_OFFSET - 10);
        map.put(10, 10, 1, 0);
        assertThat(map.entries()).isEqualTo(2);
        assertThat(map.at(9)).isEqualTo(new Piece(9, 1, 0, PatchMap.MAX_OFFSET - 1));
    }

    @Test
    void gapsEndAtTheNextEntryOrWithTheFile() {
        PatchMap map = new PatchMap();
        assertThat(map.at(7)).isEqualTo(new Piece(7, Write.MAX_POSITION - 7, PatchMap.GAP, 0));
        map.put(Write.MAX_POSITION - 1, 1, 0, 0);
        assertThat(map.at(7).end()).isEqualTo(Write.MAX_POSITION - 1);
        assertThat(map.at(7).gap()).isTrue();
        assertThat(map.at(Write.MAX_POSITION - 1)).isEqualTo(new Piece(Write.MAX_POSITION - 1, 1, 0, 0));
    }

    @Test
    void refusesWhatNoFileHas() {
        PatchMap map = new PatchMap();
        assertThatThrownBy(() -> map.put(-1, 1, 0, 0)).isInstanceOf(Invariant.Broken.class);
        assertThatThrownBy(() -> map.put(0, 0, 0, 0)).isInstanceOf(Invariant.Broken.class);
        assertThatThrownBy(() -> map.put(Write.MAX_POSITION, 1, 0, 0)).isInstanceOf(Invariant.Broken.class);
        assertThatThrownBy(() -> map.put(0, 1, PatchMap.MAX_SOURCE + 1, 0)).isInstanceOf(Invariant.Broken.class);
        assertThatThrownBy(() -> map.put(0, 1, PatchMap.GAP, 0)).isInstanceOf(Invariant.Broken.class);
        assertThatThrownBy(() -> map.put(0, 1, 0, PatchMap.MAX_OFFSET)).isInstanceOf(Invariant.Broken.class);
        assertThatThrownBy(() -> map.at(Write.MAX_POSITION)).isInstanceOf(Invariant.Broken.class);
        assertThatThrownBy(() -> map.truncate(-1)).isInstanceOf(Invariant.Broken.class);
        map.put(0, 1, PatchMap.MAX_SOURCE, PatchMap.MAX_OFFSET - 1);
        assertThat(map.at(0)).isEqualTo(new Piece(0, 1, PatchMap.MAX_SOURCE, PatchMap.MAX_OFFSET - 1));
    }

    @Test
    void dropsASourceOnlyWhenAllOfItWasReplaced() {
        PatchMap map = new PatchMap();
        map.put(0, 10, 0, 0);
        map.put(0, 9, 1, 0);
        assertThatThrownBy(() -> map.dropSource(0))
                .isInstanceOf(Invariant.Broken.class)
                .hasMessageContaining("1 live bytes");
        map.put(9, 1, 1, 9);
        map.dropSource(0);
        assertThat(map.entries()).isEqualTo(1);
    }

    @Test
    void aBatchTruncatesBeforeItWrites() {
        PatchMap map = new PatchMap();
        map.apply(0, PatchBatch.plan(0, 1, 100, List.of(new Write(40, 60), new Write(60, 10))));
        map.apply(0, PatchBatch.plan(1_000, 2, 50, List.of(new Write(30, 5))));
        assertThat(map.at(50).gap()).isTrue();
        assertThat(map.live(0)).isEqualTo(15);
        assertThat(map.at(30)).isEqualTo(new Piece(30, 5, 0, 1_000 + 56));
    }

    @Test
    void anEntryCostsWhatTheDocumentationSays() {
        int count = 100_000;
        PatchMap inOrder = new PatchMap();
        for (int i = 0; i < count; i++) {
            inOrder.put(2L * i, 1, 0, 0);
        }
        assertThat(bytesPerEntry(inOrder)).isBetween(24.0, 26.0);

        List<Integer> places = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            places.add(i);
        }
        Collections.shuffle(places, new Random(7));
        PatchMap random = new PatchMap();
        places.forEach(i -> random.put(2L * i, 1, 0, 0));
        assertThat(bytesPerEntry(random)).isBetween(30.0, 40.0);

        places.subList(0, count / 10 * 9).forEach(i -> random.clear(2L * i, 2L * i + 1));
        assertThat(random.entries()).isEqualTo(count / 10);
        assertThat(bytesPerEntry(random)).isLessThan(67);
        assertThat(random.ranges(0, 2L * count)).isGreaterThan(count / 10);

        random.truncate(0);
        assertThat(random.entries()).isZero();
        assertThat(random.memoryBytes()).isLessThan(64 * KIB);
    }

    private static double bytesPerEntry(PatchMap map) {
        return (double) map.memoryBytes() / map.entries();
    }
}
