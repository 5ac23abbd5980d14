package io.ecfs.namenode.server;

import io.ecfs.code.ParityCheck.Finding;
import io.ecfs.error.EcfsException;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.GroupLayout;
import io.ecfs.message.BlockToken.Right;
import io.ecfs.message.ChunkChange;
import io.ecfs.message.ChunkLocation;
import io.ecfs.message.ChunkState;
import io.ecfs.message.DatanodeOrder;
import io.ecfs.message.VolumeId;
import io.ecfs.namenode.cluster.Counter;
import io.ecfs.namenode.group.GroupFacts;
import io.ecfs.namenode.group.StoredChunk;
import io.ecfs.namenode.state.MetadataView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has one whole group after another read by one of its datanodes and its parity compared, on the leader, round and round, at a set rate: a chunk
 * can be wrong though its own checksums are right. One that alone explains the difference, as two datanodes reckon, is condemned, which makes
 * it corrupt, when the others can spare it; where nobody can tell, nothing is touched. A term begins at any group.
 *
 * <pre>
 *   next group --a datanode reads it--&gt; alike
 *                                  `--&gt; unclear: said
 *                                  `--&gt; one chunk is wrong --another datanode reads it--&gt; the same chunk: condemned
 *                                                                                    `--&gt; anything else: said
 * </pre>
 *
 * Owner thread: the namenode's event thread.
 */
final class ParityRounds {
    private static final Logger LOG = LoggerFactory.getLogger(ParityRounds.class);

    /** Past it the datanode is taken for unable. */
    private static final Duration DEADLINE = Duration.ofMinutes(30);

    /** Groups to look at in one tick for one that can be checked. */
    private static final int SLICE = 1_000;

    private final Surroundings around;
    private final TokenIssuer tokens;
    private final TreeMap<StoredChunk, Long> condemned = new TreeMap<>();
    private Optional<Check> current = Optional.empty();
    private Optional<GroupId> next = Optional.empty();
    private long notBeforeMillis;
    private long checked;
    private long wrong;
    private long unclear;

    /**
     * A check under way.
     *
     * @param accused what another datanode found wrong, when it is the group's second check
     */
    private record Check(DatanodeOrder.CheckParity order, Optional<ChunkId> accused, long begunMillis) {}

    ParityRounds(Surroundings around, TokenIssuer tokens) {
        this.around = around;
        this.tokens = tokens;
        this.notBeforeMillis = around.nowMillis();
    }

    /**
     * In this term.
     *
     * @param checked groups that were read whole
     * @param wrong chunks that were told apart
     * @param unclear groups that do not add up and nobody can tell why
     */
    record Totals(long checked, long wrong, long unclear) {}

    Totals totals() {
        return new Totals(checked, wrong, unclear);
    }

    void tick() {
        condemned.values().removeIf(since -> around.passed(DEADLINE, since));
        current = current.filter(check -> !around.passed(DEADLINE, check.begunMillis()));
        if (around.settings().parityCheck().on() && current.isEmpty() && around.nowMillis() >= notBeforeMillis) {
            try (MetadataView view = around.facts().get()) {
                begin(view);
            }
        }
    }

    private void begin(MetadataView view) {
        int[] seen = new int[1];
        GroupId first = next.orElseGet(() -> anywhere(view));
        next = Optional.of(new GroupId(1));
        view.groups(first, group -> {
            current = check(group, 0, Optional.empty());
            boolean enough = current.isPresent() || ++seen[0] == SLICE;
            if (enough) {
                next = Optional.of(new GroupId(group.group().value() + 1));
            }
            return !enough;
        });
    }

    private GroupId anywhere(MetadataView view) {
        long groups = Math.max(1, view.count(Counter.LAST_GROUP));
        return new GroupId(1 + Math.floorMod(around.environment().randomness().nextLong(), groups));
    }

    /**
     * Empty when not all of the group can be read now: what lacks is repaired first.
     *
     * @param turn another one is another datanode's
     */
    private Optional<Check> check(GroupFacts group, int turn, Optional<ChunkId> accused) {
        return order(group, turn).map(order -> new Check(order, accused, around.nowMillis()));
    }

    private Optional<DatanodeOrder.CheckParity> order(GroupFacts group, int turn) {
        if (group.open() || group.length() == 0) {
            return Optional.empty();
        }
        List<ChunkLocation> chunks = group.stored().stream()
                .filter(stored -> around.live(group, stored) && !around.resting(stored.volume()))
                .flatMap(stored -> around.topology().location(stored, ChunkLocation.State.LIVE).stream())
                .toList();
        if (chunks.size() < group.policy().chunks()) {
            return Optional.empty();
        }
        VolumeId reader = chunks.get((int) ((group.group().value() + turn) % chunks.size()))
                .volume();
        try {
            return Optional.of(new DatanodeOrder.CheckParity(
                    reader,
                    group.group(),
                    group.policy(),
                    group.length(),
                    chunks,
                    tokens.issue(group.group(), Right.READ)));
        } catch (EcfsException e) {
            LOG.debug("event=parity_not_checked group={} reason=\"{}\"", group.group(), e.getMessage());
            return Optional.empty();
        }
    }

    /** What a volume's datanode is to do. */
    List<DatanodeOrder> orders(VolumeId volume) {
        List<DatanodeOrder> orders = new ArrayList<>();
        current.map(Check::order).filter(check -> check.volume().equals(volume)).ifPresent(orders::add);
        condemned.keySet().stream()
                .filter(stored -> stored.volume().equals(volume))
                .forEach(stored -> orders.add(new DatanodeOrder.Condemn(volume, stored.chunk())));
        return orders;
    }

    void reported(MetadataView view, ChunkChange change) {
        if (change instanceof ChunkChange.Present present && present.record().state() == ChunkState.CORRUPT) {
            condemned.remove(new StoredChunk(present.volume(), present.record().chunk()));
        } else if (change instanceof ChunkChange.Gone gone) {
            condemned.remove(new StoredChunk(gone.volume(), gone.chunk()));
        } else if (change instanceof ChunkChange.ParityChecked answer
                && current.map(Check::order)
                        .filter(check -> check.group().equals(answer.group())
                                && check.volume().equals(answer.volume()))
                        .isPresent()) {
            current = answered(view, current.get(), answer);
        }
    }

    /** @return a second check of the same group by somebody else: one datanode alone may reckon wrong */
    private Optional<Check> answered(MetadataView view, Check check, ChunkChange.ParityChecked answer) {
        notBeforeMillis = around.nowMillis()
                + bytesOf(check.order())
                        * 1000
                        / around.settings().parityCheck().bytesPerSecond();
        if (answer.finding().isEmpty()) {
            return Optional.empty();
        } else if (check.accused().isEmpty() && answer.wrong().isPresent()) {
            return around.sealed(view, answer.group()).flatMap(group -> check(group, 1, answer.wrong()));
        }
        judge(view, check.accused(), answer, answer.finding().get());
        return Optional.empty();
    }

    private static long bytesOf(DatanodeOrder.CheckParity order) {
        GroupLayout layout = new GroupLayout(order.policy(), order.groupLength());
        return layout.chunkBytes(order.policy().dataChunks()) * order.policy().chunks();
    }

    private void judge(
            MetadataView view, Optional<ChunkId> accused, ChunkChange.ParityChecked answer, Finding finding) {
        checked++;
        if (finding == Finding.ALIKE) {
            accused.ifPresent(chunk -> LOG.warn(
                    "event=parity_alike group={} accused={} reason=\"another datanode finds nothing wrong: it was"
                            + " rebuilt meanwhile, or the first one reckons wrong\"",
                    answer.group(),
                    chunk));
        } else if (finding == Finding.UNCLEAR || !accused.equals(answer.wrong())) {
            unclear++;
            LOG.error(
                    "event=parity_unclear group={} reason=\"the parity is not that of the data, and nobody can tell"
                            + " which chunk is wrong: nothing was touched\"",
                    answer.group());
        }
        accused.filter(chunk -> answer.wrong().equals(Optional.of(chunk))).ifPresent(chunk -> condemn(view, chunk));
    }

    /** What the facts place there still, and the group can spare; or it is only said. */
    private void condemn(MetadataView view, ChunkId chunk) {
        wrong++;
        Optional<GroupFacts> group = around.sealed(view, chunk.group());
        Optional<VolumeId> volume = group.flatMap(facts -> facts.volumeOf(chunk));
        boolean spare = group.filter(facts -> facts.policy().code().redundant(around.liveOthers(facts, chunk.index())))
                .isPresent();
        LOG.error(
                "event=parity_wrong chunk={} volume={} condemned={} reason=\"it does not belong to the others of its"
                        + " group though its checksums are right\"",
                chunk,
                volume.map(VolumeId::toString).orElse("-"),
                spare && volume.isPresent());
        if (spare) {
            volume.ifPresent(at -> condemned.put(new StoredChunk(at, chunk), around.nowMillis()));
        }
    }
}
