package io.ecfs.tail;

import io.ecfs.code.ChunkSet;
import io.ecfs.layout.Policy;
import io.ecfs.message.chunk.ChunkRecord;
import io.ecfs.message.chunk.ChunkState;
import io.ecfs.message.chunk.TailCoverage;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Whether chunks of an open group that do not answer may hold acknowledged bytes beyond the {@link RecoverableLength}
 * of those that do: a pure function. Those that answer may have fallen behind while the writer went on without them, so
 * that many answers prove nothing.
 *
 * <pre>
 *   an answer reports                      its bytes may have been acknowledged, and can be had together with the
 *                                          silent chunks, when
 *   a finished length                      its holders and the silent ones determine the others: the writer
 *                                          finishes only what all of its chunks have, and finished chunks have no
 *                                          tail records
 *   full stripes, coded tail records       those that have them and the returning ones determine the others;
 *                                          together with the silent ones and those that may have lost them they
 *                                          survive one more loss; and any other that lacks them never had a byte
 *                                          of the writer: a promise needs all chunks that it writes to
 *   nothing, but all may have lost some    the returning ones determine the others
 *   no mirrored tail record                there is a returning one, and the silent ones and those that may have
 *                                          lost it are m + 1: so many chunks have each record, and any one of
 *                                          them gives it
 * </pre>
 *
 * <p>A chunk may have lost what it had when its machine lost power: bytes, records, or its files and names, so that its
 * datanode answers that there is none; and when it is corrupt. It counts for what may have been promised and not for
 * what can be had, as a dead one does.
 *
 * <p>An empty chunk that answers so proves that nothing was promised in full stripes and coded records: the writer
 * takes those that it could not begin out of the facts before it promises anything, and goes on without no other. That
 * it waits for such bytes all the same, while the silent ones may soon be heard, costs only time.
 *
 * @param answers by chunk index, as for {@link RecoverableLength}
 * @param tails by chunk index, as for {@link RecoverableLength}
 * @param silent the other chunks of the group
 * @param returning those of the silent ones that are soon to be heard
 * @param interrupted those that answer and may have lost some of what they had, since their datanodes have started
 *     after they were opened, or a record of their tail logs was lost
 */
public record UnreachableChunks(
        Policy policy,
        SortedMap<Integer, Optional<ChunkRecord>> answers,
        Map<Integer, TailCoverage> tails,
        ChunkSet silent,
        ChunkSet returning,
        ChunkSet interrupted) {

    /** True when what was found must not be taken for all that was acknowledged. */
    public boolean mayHoldMore() {
        if (silent.isEmpty()) {
            return false;
        }
        List<ChunkRecord> held = sound();
        if (!decodable(indexes(held))) {
            // Dropping the group would lose it, if there were ever chunks enough to promise anything.
            return (decodable(indexes(held).union(silent))
                            && redundant(present().union(silent)))
                    || promisedWith(indexes(held));
        }
        return RecoverableLength.of(policy, answers, tails)
                .map(found -> finishedBeyond(found, held) || promisedBeyond(found, held) || mirroredBeyond())
                .orElse(false);
    }

    private List<ChunkRecord> sound() {
        return answers.values().stream()
                .flatMap(Optional::stream)
                .filter(record -> record.state() != ChunkState.CORRUPT)
                .toList();
    }

    /** Chunks that answer that they are there, in whatever state. */
    private ChunkSet present() {
        return indexes(answers.values().stream().flatMap(Optional::stream).toList());
    }

    private boolean finishedBeyond(RecoverableLength found, List<ChunkRecord> held) {
        return held.stream()
                .filter(r -> r.state() == ChunkState.FINALISED && r.groupLength() > found.length())
                .map(r -> ChunkSet.of(RecoverableLength.holders(policy, r.groupLength(), held).stream()
                        .map(chunk -> chunk.index())
                        .toList()))
                .anyMatch(holders -> decodable(holders.union(silent)));
    }

    private boolean promisedBeyond(RecoverableLength found, List<ChunkRecord> held) {
        if (sure(held).isEmpty() && promisedWith(ChunkSet.empty())) {
            return true;
        }
        SortedMap<Integer, Long> stripes = RecoverableLength.stripesOf(policy, held);
        if (promised(stripes, found.length() / policy.stripeBytes())) {
            return true;
        }
        SortedMap<Integer, Long> coded = new TreeMap<>();
        stripes.keySet()
                .forEach(index -> coded.put(
                        index, tails.getOrDefault(index, TailCoverage.NONE).codedUntil(found.length())));
        return promised(coded, found.length());
    }

    /** @param reached by chunk index: how far the chunk has come */
    private boolean promised(SortedMap<Integer, Long> reached, long found) {
        return reached.values().stream()
                .filter(count -> count > found)
                .map(count -> RecoverableLength.withAtLeast(count, reached))
                .anyMatch(having -> promisedWith(having) && noWriterAmongTheOthers(having));
    }

    /**
     * Whether bytes that these have may have been promised, and can be had when those are back that are soon to be
     * heard.
     */
    private boolean promisedWith(ChunkSet having) {
        return decodable(having.union(returning))
                && redundant(having.union(silent).union(doubtful()));
    }

    private boolean mirroredBeyond() {
        int copies = Math.min(answers.size() + silent.size(), policy.code().parityChunks() + 1);
        return !returning.isEmpty() && silent.union(doubtful()).size() >= copies;
    }

    /** Of these those that have all that they ever had. */
    private ChunkSet sure(List<ChunkRecord> held) {
        return indexes(held).minus(interrupted);
    }

    /** Chunks that answer and may have lost some of what they had, or all. */
    private ChunkSet doubtful() {
        return ChunkSet.of(answers.keySet()).minus(sure(sound()));
    }

    private boolean noWriterAmongTheOthers(ChunkSet having) {
        return others(having)
                .noneMatch(record -> record.bytes() > 0
                        || !tails.getOrDefault(record.chunk().index(), TailCoverage.NONE)
                                .equals(TailCoverage.NONE));
    }

    private Stream<ChunkRecord> others(ChunkSet having) {
        return sound().stream()
                .filter(record -> !having.contains(record.chunk().index())
                        && !interrupted.contains(record.chunk().index()));
    }

    private boolean decodable(ChunkSet chunks) {
        return policy.code().decodable(chunks);
    }

    private boolean redundant(ChunkSet chunks) {
        return policy.code().redundant(chunks);
    }

    private static ChunkSet indexes(List<ChunkRecord> records) {
        return ChunkSet.of(records.stream().map(r -> r.chunk().index()).toList());
    }
}
