package io.ecfs.tail;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.code.ChunkSet;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.GroupLayout;
import io.ecfs.layout.Policy;
import io.ecfs.layout.Stamp;
import io.ecfs.message.chunk.ChunkRecord;
import io.ecfs.message.chunk.ChunkState;
import io.ecfs.message.chunk.TailCoverage;
import io.ecfs.message.chunk.TailForm;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/**
 * What a writer may leave behind that dies at any moment, after chunks that never opened and others that failed under
 * it, and whoever does not answer then: bytes that it promised are never given up for lost.
 */
class UnreachableChunksTest {
    private static final GroupId GROUP = new GroupId(7);
    private static final int TAIL = 700;

    /** What one chunk has of the stripe in which the promised records lie. */
    private enum Got {
        NEVER_OPENED,
        ABSENT,
        PROMISED,
        NEXT,
        FINISHED
    }

    /**
     * @param stripes full, and promised
     * @param form of the records behind them, that are promised too
     * @param nextIsTail what came after the promise ends the group
     */
    private record Left(Policy policy, int stripes, Optional<TailForm> form, boolean nextIsTail, List<Got> got) {
        long promised() {
            return stripes * policy.stripeBytes() + (form.isPresent() ? TAIL : 0);
        }

        private long next() {
            return nextIsTail ? stripes * policy.stripeBytes() + 2 * TAIL : (stripes + 1) * policy.stripeBytes();
        }

        private boolean wrote(int index) {
            return got.get(index) != Got.NEVER_OPENED && got.get(index) != Got.ABSENT;
        }

        Optional<ChunkRecord> record(int index) {
            ChunkId chunk = new ChunkId(GROUP, index, 0);
            long before = (long) stripes * policy.cellBytes();
            GroupLayout layout = new GroupLayout(policy, next());
            long whole = layout.chunkBytes(index);
            return switch (got.get(index)) {
                case ABSENT -> Optional.empty();
                case NEVER_OPENED ->
                    Optional.of(new ChunkRecord(chunk, ChunkState.BEING_WRITTEN, 0, 0, -1, Stamp.NONE));
                case PROMISED ->
                    Optional.of(new ChunkRecord(chunk, ChunkState.BEING_WRITTEN, before, before, -1, Stamp.NONE));
                case NEXT ->
                    Optional.of(new ChunkRecord(
                            chunk,
                            ChunkState.BEING_WRITTEN,
                            whole,
                            layout.fullStripeChunkBytes(),
                            nextIsTail && whole > layout.fullStripeChunkBytes() ? next() : -1,
                            Stamp.NONE));
                case FINISHED ->
                    Optional.of(new ChunkRecord(chunk, ChunkState.FINALISED, whole, whole, next(), Stamp.NONE));
            };
        }

        TailCoverage tail(int index) {
            if (form.isEmpty() || !wrote(index) || got.get(index) == Got.FINISHED) {
                return TailCoverage.NONE;
            }
            TailCoverage.Range range =
                    new TailCoverage.Range(stripes * policy.stripeBytes(), stripes * policy.stripeBytes() + TAIL);
            if (form.get() == TailForm.CODED) {
                return new TailCoverage(List.of(), List.of(range));
            }
            List<Integer> writtenTo = new ArrayList<>();
            for (int i = 0; i < got.size(); i++) {
                if (wrote(i)) {
                    writtenTo.add(i);
                }
            }
            int copies = Math.min(writtenTo.size(), policy.code().parityChunks() + 1);
            return writtenTo.subList(0, copies).contains(index)
                    ? new TailCoverage(List.of(range), List.of())
                    : TailCoverage.NONE;
        }

        boolean may() {
            List<Integer> writtenTo = indexes(got, Got.PROMISED, Got.NEXT, Got.FINISHED);
            List<Integer> goneOn = indexes(got, Got.NEXT, Got.FINISHED);
            boolean finished = got.contains(Got.FINISHED);
            boolean nobodyHangsBack = policy.code().redundant(ChunkSet.of(goneOn));
            return policy.code().redundant(ChunkSet.of(writtenTo)) && (!finished || nobodyHangsBack);
        }

        private static List<Integer> indexes(List<Got> got, Got... these) {
            List<Integer> indexes = new ArrayList<>();
            for (int i = 0; i < got.size(); i++) {
                if (List.of(these).contains(got.get(i))) {
                    indexes.add(i);
                }
            }
            return indexes;
        }
    }

    private static void check(Left left, ChunkSet silent) {
        TreeMap<Integer, Optional<ChunkRecord>> answers = new TreeMap<>();
        Map<Integer, TailCoverage> tails = new HashMap<>();
        for (int index = 0; index < left.got.size(); index++) {
            if (!silent.contains(index)) {
                answers.put(index, left.record(index));
                tails.put(index, left.tail(index));
            }
        }
        boolean waits =
                new UnreachableChunks(left.policy, answers, tails, silent, silent, ChunkSet.empty()).mayHoldMore();
        Optional<RecoverableLength> found = RecoverableLength.of(left.policy, answers, tails);
        Supplier<String> what = () -> left + " without " + silent + ": " + found; // put into words only when it fails
        if (found.isPresent() && !waits && found.get().length() < left.promised()) {
            assertThat(found.get().length()).as(what).isGreaterThanOrEqualTo(left.promised());
        }
        checkThatDeathLosesNothing(left, silent);
        boolean allWrittenTo = !left.got.contains(Got.NEVER_OPENED) && !left.got.contains(Got.ABSENT);
        boolean allHaveSome = left.stripes > 0 || left.form.equals(Optional.of(TailForm.CODED));
        boolean goesOn = silent.isEmpty() || (allWrittenTo && allHaveSome && !left.got.contains(Got.FINISHED));
        if (found.isPresent() && goesOn && waits) {
            assertThat(waits).as(() -> "waits: " + what.get()).isFalse();
        }
    }

    /**
     * Chunks that the writer could not begin are out of the facts before it promises, so nobody counts them; all the
     * silent are dead.
     */
    private static void checkThatDeathLosesNothing(Left left, ChunkSet silent) {
        TreeMap<Integer, Optional<ChunkRecord>> answers = new TreeMap<>();
        Map<Integer, TailCoverage> tails = new HashMap<>();
        List<Integer> dead = new ArrayList<>();
        for (int index = 0; index < left.got.size(); index++) {
            if (left.got.get(index) == Got.NEVER_OPENED) {
                continue;
            }
            if (silent.contains(index)) {
                dead.add(index);
            } else {
                answers.put(index, left.record(index));
                tails.put(index, left.tail(index));
            }
        }
        boolean waits = new UnreachableChunks(
                        left.policy, answers, tails, ChunkSet.of(dead), ChunkSet.empty(), ChunkSet.empty())
                .mayHoldMore();
        Optional<RecoverableLength> found = RecoverableLength.of(left.policy, answers, tails);
        if (found.isPresent() && !waits && found.get().length() < left.promised()) {
            assertThat(found.get().length())
                    .as(left + " without the dead " + dead + ": " + found)
                    .isGreaterThanOrEqualTo(left.promised());
        }
    }

    private static void shapes(Policy policy, List<Got> got, Consumer<Left> each) {
        for (int stripes = 0; stripes <= 1; stripes++) {
            for (boolean nextIsTail : new boolean[] {false, true}) {
                for (TailForm form : TailForm.values()) {
                    each.accept(new Left(policy, stripes, Optional.of(form), nextIsTail, got));
                }
                each.accept(new Left(policy, stripes, Optional.empty(), nextIsTail, got));
            }
        }
    }

    private static ChunkSet subset(int bits, int of) {
        List<Integer> some = new ArrayList<>();
        for (int index = 0; index < of; index++) {
            if ((bits >> index & 1) == 1) {
                some.add(index);
            }
        }
        return ChunkSet.of(some);
    }

    @Test
    void flushedBytesOfRs21SurviveEverySilentSet() {
        Policy policy = Policy.parse("rs-2-1-4k");
        for (Got a : Got.values()) {
            for (Got b : Got.values()) {
                for (Got c : Got.values()) {
                    shapes(policy, List.of(a, b, c), left -> {
                        for (int bits = 0; bits < 8 && left.may(); bits++) {
                            check(left, subset(bits, 3));
                        }
                    });
                }
            }
        }
    }

    @Test
    void flushedBytesOfRs32SurviveEverySilentSet() {
        Policy policy = Policy.parse("rs-3-2-4k");
        long seed = Long.getLong("ecfs.silent.seed", 1);
        Random random = new Random(seed);
        for (int turn = 0; turn < 500; turn++) {
            List<Got> got = new ArrayList<>();
            for (int index = 0; index < 5; index++) {
                got.add(Got.values()[random.nextInt(Got.values().length)]);
            }
            shapes(policy, got, left -> {
                for (int bits = 0; bits < 32 && left.may(); bits++) {
                    ChunkSet silent = subset(bits, 5);
                    if (silent.size() <= 2) {
                        check(left, silent);
                    }
                }
            });
        }
    }

    @Test
    void whatOnlyTheDeadCouldHaveOfOpenChunksIsNotWaitedFor() {
        Left left = new Left(
                Policy.parse("rs-3-2-4k"),
                1,
                Optional.empty(),
                false,
                List.of(Got.NEVER_OPENED, Got.PROMISED, Got.PROMISED, Got.PROMISED, Got.PROMISED));
        TreeMap<Integer, Optional<ChunkRecord>> answers = new TreeMap<>();
        List.of(0, 3, 4).forEach(index -> answers.put(index, left.record(index)));
        ChunkSet silent = ChunkSet.of(1, 2);
        assertThat(new UnreachableChunks(left.policy, answers, Map.of(), silent, silent, ChunkSet.empty())
                        .mayHoldMore())
                .isTrue();
        assertThat(new UnreachableChunks(left.policy, answers, Map.of(), silent, ChunkSet.empty(), ChunkSet.empty())
                        .mayHoldMore())
                .isFalse();
    }

    /**
     * A chunk that was cut back, by a loss of power or behind a window that rotted, says nothing of what the writer was
     * told.
     */
    @Test
    void aChunkThatMayHaveLostBytesIsNoProofThatNothingWasPromised() {
        Policy policy = Policy.parse("rs-3-2-4k");
        TreeMap<Integer, Optional<ChunkRecord>> answers = new TreeMap<>();
        for (int index = 0; index < 3; index++) {
            long bytes = (index == 2 ? 3L : 6L) * policy.cellBytes();
            ChunkId chunk = new ChunkId(GROUP, index, 0);
            answers.put(
                    index, Optional.of(new ChunkRecord(chunk, ChunkState.BEING_WRITTEN, bytes, bytes, -1, Stamp.NONE)));
        }
        ChunkSet silent = ChunkSet.of(3, 4);
        assertThat(new UnreachableChunks(policy, answers, Map.of(), silent, silent, ChunkSet.empty()).mayHoldMore())
                .as("it was always there and never had more")
                .isFalse();
        assertThat(new UnreachableChunks(policy, answers, Map.of(), silent, silent, ChunkSet.of(2)).mayHoldMore())
                .as("it may have had six stripes")
                .isTrue();
        assertThat(new UnreachableChunks(policy, answers, Map.of(), silent, ChunkSet.empty(), ChunkSet.of(2))
                        .mayHoldMore())
                .as("nobody else is to come")
                .isFalse();
    }

    private static final Policy THREE_AND_TWO = Policy.parse("rs-3-2-4k");

    private static ChunkRecord open(int index, long bytes) {
        return new ChunkRecord(new ChunkId(GROUP, index, 0), ChunkState.BEING_WRITTEN, bytes, bytes, -1, Stamp.NONE);
    }

    private static ChunkRecord corrupt(int index) {
        return new ChunkRecord(new ChunkId(GROUP, index, 0), ChunkState.CORRUPT, 0, 0, -1, Stamp.NONE);
    }

    private static ChunkRecord finished(int index, long length) {
        long bytes = new GroupLayout(THREE_AND_TWO, length).chunkBytes(index);
        return new ChunkRecord(new ChunkId(GROUP, index, 0), ChunkState.FINALISED, bytes, bytes, length, Stamp.NONE);
    }

    /** @param absent chunks whose datanodes answer that they have none */
    private static boolean mayHoldMore(List<ChunkRecord> records, List<Integer> absent, ChunkSet silent) {
        return mayHoldMore(records, absent, silent, silent);
    }

    private static boolean mayHoldMore(
            List<ChunkRecord> records, List<Integer> absent, ChunkSet silent, ChunkSet returning) {
        TreeMap<Integer, Optional<ChunkRecord>> answers = new TreeMap<>();
        records.forEach(record -> answers.put(record.chunk().index(), Optional.of(record)));
        absent.forEach(index -> answers.put(index, Optional.empty()));
        return new UnreachableChunks(THREE_AND_TWO, answers, Map.of(), silent, returning, ChunkSet.empty())
                .mayHoldMore();
    }

    @Test
    void aGroupIsAwaitedWhileUnreachableChunksCouldSaveIt() {
        List<ChunkRecord> two = List.of(open(0, 4096), open(1, 4096));
        assertThat(mayHoldMore(two, List.of(), ChunkSet.of(2, 3, 4))).isTrue();
        assertThat(mayHoldMore(List.of(open(0, 4096), corrupt(1), corrupt(2), corrupt(3)), List.of(), ChunkSet.of(4)))
                .as("two are too few whatever comes")
                .isFalse();
        assertThat(mayHoldMore(two, List.of(2, 3), ChunkSet.of(4)))
                .as("two machines may have lost power, and the names of their chunks with it")
                .isTrue();
        assertThat(mayHoldMore(two, List.of(2, 3), ChunkSet.of(4), ChunkSet.empty()))
                .as("and the silent one is dead")
                .isFalse();
        assertThat(mayHoldMore(List.of(open(0, 4096), open(1, 4096), corrupt(2)), List.of(3), ChunkSet.of(4)))
                .as("four were opened, one of which is corrupt now")
                .isTrue();
    }

    @Test
    void aFinishedLengthThatIsFoundIsAllThatThereIs() {
        long length = THREE_AND_TWO.stripeBytes() + 1000;
        List<ChunkRecord> three = List.of(finished(0, length), finished(1, length), finished(2, length));
        assertThat(mayHoldMore(three, List.of(), ChunkSet.of(3, 4))).isFalse();
    }

    @Test
    void aFinishedLengthIsAwaitedWhileUnreachableChunksCouldGiveIt() {
        List<ChunkRecord> one = List.of(finished(0, 1000), open(1, 0), open(2, 0));
        assertThat(mayHoldMore(one, List.of(), ChunkSet.of(3, 4))).isTrue();
        assertThat(mayHoldMore(
                        List.of(finished(0, 1000), open(1, 0), open(2, 0), open(3, 0)), List.of(), ChunkSet.of(4)))
                .as("two holders are too few")
                .isFalse();
    }

    private static Optional<ChunkRecord> stripes(Policy policy, int index, int count) {
        long bytes = (long) count * policy.cellBytes();
        return Optional.of(
                new ChunkRecord(new ChunkId(GROUP, index, 0), ChunkState.BEING_WRITTEN, bytes, bytes, -1, Stamp.NONE));
    }

    /** Four chunks were begun and had three stripes; one lost power, and one of the others is away for a moment. */
    @Test
    void whatAChunkHadThatLostPowerCountsForWhatWasPromised() {
        Policy policy = Policy.parse("rs-3-2-4k");
        ChunkSet silent = ChunkSet.of(0);
        TreeMap<Integer, Optional<ChunkRecord>> answers =
                new TreeMap<>(Map.of(1, stripes(policy, 1, 3), 2, stripes(policy, 2, 3), 3, stripes(policy, 3, 1)));
        assertThat(new UnreachableChunks(policy, answers, Map.of(), silent, silent, ChunkSet.of(3)).mayHoldMore())
                .as("cut back to one stripe")
                .isTrue();
        answers.put(3, Optional.empty());
        assertThat(new UnreachableChunks(policy, answers, Map.of(), silent, silent, ChunkSet.empty()).mayHoldMore())
                .as("its files are gone")
                .isTrue();
        assertThat(new UnreachableChunks(policy, answers, Map.of(), silent, ChunkSet.empty(), ChunkSet.empty())
                        .mayHoldMore())
                .as("and the silent one is dead")
                .isFalse();
    }

    @Test
    void aMirroredRecordMayBeOnUnreachableChunksAlone() {
        Policy policy = Policy.parse("rs-3-2-4k");
        ChunkSet silent = ChunkSet.of(2);
        TreeMap<Integer, Optional<ChunkRecord>> answers = new TreeMap<>(Map.of(
                0,
                stripes(policy, 0, 0),
                1,
                stripes(policy, 1, 0),
                3,
                stripes(policy, 3, 0),
                4,
                stripes(policy, 4, 0)));
        assertThat(new UnreachableChunks(policy, answers, Map.of(), silent, silent, ChunkSet.of(0, 1)).mayHoldMore())
                .as("on 0 and 1, which lost it, and on 2")
                .isTrue();
        assertThat(new UnreachableChunks(policy, answers, Map.of(), silent, silent, ChunkSet.of(0)).mayHoldMore())
                .as("one of those that lost nothing would have it")
                .isFalse();
    }

    /** What became of a chunk. */
    private enum Fate {
        ANSWERS,
        /** Its machine lost power, and not even its name was on disk. */
        GONE,
        /** Its machine lost power, and no more than its header was on disk. */
        EMPTY,
        /** Its datanode is away for a moment. */
        AWAY,
        DEAD
    }

    /**
     * As long as those that answer give what was promised together with those that are to come, it is found or waited
     * for, whatever power took from the ones, whoever the others are, and whoever is dead.
     *
     * @param fates of the chunks that the facts place, by index
     */
    private static void checkFates(Left left, Map<Integer, Fate> fates) {
        TreeMap<Integer, Optional<ChunkRecord>> answers = new TreeMap<>();
        Map<Integer, TailCoverage> tails = new HashMap<>();
        fates.forEach((index, fate) -> {
            switch (fate) {
                case ANSWERS -> {
                    answers.put(index, left.record(index));
                    tails.put(index, left.tail(index));
                }
                case GONE -> answers.put(index, Optional.empty());
                case EMPTY ->
                    answers.put(
                            index,
                            Optional.of(new ChunkRecord(
                                    new ChunkId(GROUP, index, 0), ChunkState.BEING_WRITTEN, 0, 0, -1, Stamp.NONE)));
                case AWAY, DEAD -> {}
            }
        });
        ChunkSet away = having(fates, Fate.AWAY);
        ChunkSet silent = away.union(having(fates, Fate.DEAD));
        if (!new UnreachableChunks(left.policy, answers, tails, silent, away, having(fates, Fate.EMPTY))
                .mayHoldMore()) {
            RecoverableLength.of(left.policy, answers, tails)
                    .filter(found -> found.length() < left.promised())
                    .ifPresent(found -> assertThat(found.length())
                            .as("%s, %s: %s", left, fates, found)
                            .isGreaterThanOrEqualTo(left.promised()));
        }
    }

    private static ChunkSet having(Map<Integer, Fate> fates, Fate... these) {
        return ChunkSet.of(fates.keySet().stream()
                .filter(index -> List.of(these).contains(fates.get(index)))
                .toList());
    }

    /** @param absent so many chunks could not be begun: the facts place the others */
    private static void allFates(String name, int absent) {
        Policy policy = Policy.parse(name);
        int placed = policy.chunks() - absent;
        List<Got> got = new ArrayList<>(Collections.nCopies(absent, Got.ABSENT));
        got.addAll(Collections.nCopies(placed, Got.PROMISED));
        for (int ahead = 0; ahead <= placed; ahead += placed - 1) {
            Collections.fill(got.subList(absent, absent + ahead), Got.NEXT);
            shapes(policy, got, left -> {
                for (int all = 0; all < Math.pow(Fate.values().length, placed); all++) {
                    Map<Integer, Fate> fates = new TreeMap<>();
                    for (int index = absent, rest = all; index < policy.chunks(); index++) {
                        fates.put(index, Fate.values()[rest % Fate.values().length]);
                        rest /= Fate.values().length;
                    }
                    if (policy.code().decodable(having(fates, Fate.ANSWERS, Fate.AWAY))) {
                        checkFates(left, fates);
                    }
                }
            });
        }
    }

    @Test
    void flushedBytesSurviveLostPowerAndAbsentDatanodes() {
        allFates("rs-2-1-4k", 0);
        allFates("rs-2-2-4k", 0);
        allFates("replication-3-4k", 0);
        allFates("rs-2-2-4k", 1);
        allFates("rs-3-2-4k", 1);
    }
}
