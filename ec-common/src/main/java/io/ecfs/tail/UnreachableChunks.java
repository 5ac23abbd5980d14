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
 * Decides whether chunks of an open group that do not answer may have acknowledged bytes past the
 * {@link RecoverableLength} of those that do: a pure function. Those that answer may have fallen behind while the
 * writer went on without them, so the number of answers proves nothing.
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
 * <p>A chunk may have lost bytes, records, or its files and names when its machine lost power, so that its datanode
 * answers that there is none; or it may be corrupt. Like a dead one, it counts for what may have been promised and not
 * for what is available.
 *
 * <p>An empty chunk that answers so proves that nothing was promised in full stripes and coded records: the writer
 * removes those that it could not begin from the facts before it promises anything, and goes on without no other.
 * Waiting for such bytes all the same, while the silent ones may return soon, costs only time.
 *
 * @param answers by chunk index, as for {@link RecoverableLength}
 * @param tails by chunk index, as for {@link RecoverableLength}
 * @param silent the other chunks of the group
 * @param returning those of the silent ones that are expected to answer soon
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

    /** Returns whether more may have been acknowledged than was found. */
    public boolean mayHoldMore() {
        if (silent.isEmpty()) {
            return false;
        }
        List<ChunkRecord> sound = sound();
        if (!decodable(indexes(sound))) {
            // Dropping the group would lose it, if there were ever chunks enough to promise anything.
            return (decodable(indexes(sound).union(silent))
                            && redundant(present().union(silent)))
                    || promisedWith(indexes(sound));
        }
        return RecoverableLength.of(policy, answers, tails)
                .map(found -> finishedBeyond(found, sound) || promisedBeyond(found, sound) || mirroredBeyond())
                .orElse(false);
    }

    private List<ChunkRecord> sound() {
        return answers.values().stream()
                .flatMap(Optional::stream)
                .filter(record -> record.state() != ChunkState.CORRUPT)
                .toList();
    }

    /** Chunks that exist by their answers, in any state. */
    private ChunkSet present() {
        return indexes(answers.values().stream().flatMap(Optional::stream).toList());
    }

    private boolean finishedBeyond(RecoverableLength found, List<ChunkRecord> sound) {
        return sound.stream()
                .filter(r -> r.state() == ChunkState.FINALISED && r.groupLength() > found.length())
                .map(r -> ChunkSet.of(RecoverableLength.holders(policy, r.groupLength(), sound).stream()
                        .map(chunk -> chunk.index())
                        .toList()))
                .anyMatch(holders -> decodable(holders.union(silent)));
    }

    private boolean promisedBeyond(RecoverableLength found, List<ChunkRecord> sound) {
        if (sure(sound).isEmpty() && promisedWith(ChunkSet.empty())) {
            return true;
        }
        SortedMap<Integer, Long> stripes = RecoverableLength.stripesOf(policy, sound);
        if (promised(stripes, found.length() / policy.stripeBytes())) {
            return true;
        }
        SortedMap<Integer, Long> coded = new TreeMap<>();
        stripes.keySet()
                .forEach(index -> coded.put(
                        index, tails.getOrDefault(index, TailCoverage.NONE).codedUntil(found.length())));
        return promised(coded, found.length());
    }

    /** @param reached by chunk index: the chunk's end */
    private boolean promised(SortedMap<Integer, Long> reached, long found) {
        return reached.values().stream()
                .filter(count -> count > found)
                .map(count -> RecoverableLength.withAtLeast(count, reached))
                .anyMatch(having -> promisedWith(having) && noWriterAmongTheOthers(having));
    }

    /**
     * Returns whether bytes of these chunks may have been promised, and are available once the returning chunks answer.
     */
    private boolean promisedWith(ChunkSet having) {
        return decodable(having.union(returning))
                && redundant(having.union(silent).union(doubtful()));
    }

    private boolean mirroredBeyond() {
        int copies = Math.min(answers.size() + silent.size(), policy.code().parityChunks() + 1);
        return !returning.isEmpty() && silent.union(doubtful()).size() >= copies;
    }

    /** Those of these chunks that surely have lost nothing. */
    private ChunkSet sure(List<ChunkRecord> sound) {
        return indexes(sound).minus(interrupted);
    }

    /** Chunks that answer and may have lost some of their bytes, or all. */
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
