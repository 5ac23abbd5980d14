package io.ecfs.namenode.scrub;

import io.ecfs.code.ParityCheck.Finding;
import io.ecfs.dispatch.FunctionTable;
import io.ecfs.error.EcfsException;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.GroupLayout;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.VolumeId;
import io.ecfs.message.chunk.ChunkChange;
import io.ecfs.message.chunk.ChunkLocation;
import io.ecfs.message.chunk.ChunkState;
import io.ecfs.message.datanode.DatanodeOrder;
import io.ecfs.message.datanode.DatanodeReport.VolumeStatus;
import io.ecfs.namenode.cluster.Counter;
import io.ecfs.namenode.context.ClusterView;
import io.ecfs.namenode.context.NamenodeContext;
import io.ecfs.namenode.context.TokenIssuer;
import io.ecfs.namenode.group.ChunkOnVolume;
import io.ecfs.namenode.group.GroupFacts;
import io.ecfs.namenode.scrub.Suspects.Accusation;
import io.ecfs.namenode.settings.ParitySettings;
import io.ecfs.namenode.state.MetadataView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has one whole group after another read by one of its datanodes and its parity compared, on the leader, round and
 * round, at a rate that takes all of the data in a set period ({@link ParitySettings}): a chunk can be wrong though its
 * own checksums are right. Groups of which something was found to differ go first, whole or not, see {@link Suspects}.
 * One that alone explains the difference, as two datanodes reckon, is condemned, which makes it corrupt, when the
 * others can spare it; where the wrong one is unknown, nothing is touched. A term begins at any group.
 *
 * <pre>
 *   next group --a datanode reads it--> alike
 *                                  `--> unclear: logged
 *                                  `--> one chunk is wrong --another datanode reads it--> the same chunk: condemned
 *                                              |                                    `--> anything else: logged
 *                                              `--none can, or none does: the group stays a suspect until one has
 * </pre>
 *
 * Owner thread: the namenode's event thread.
 */
public final class ParityScrubber {
    private static final Logger LOG = LoggerFactory.getLogger(ParityScrubber.class);

    /** Deadline after which the datanode is assumed to be unable. */
    private static final Duration DEADLINE = Duration.ofMinutes(30);

    /** Groups to scan in one tick for one that can be checked. */
    private static final int SLICE = 1_000;

    /**
     * Bytes that one check reads in a second: faster rounds have several under way, usually on different datanodes.
     */
    private static final long CHECK_BYTES_PER_SECOND = 32L << 20;

    /** Checks of small groups that a datanode has orders for, on average; it makes one after the other. */
    private static final int MOST_ON_A_DATANODE = 16;

    /** Of a check of a small group: an order goes with a heartbeat, its answer with another one. */
    private static final Duration ANSWERED_WITHIN = Duration.ofSeconds(2);

    private final FunctionTable<ChunkChange, MetadataView, Void> onChange =
            FunctionTable.<ChunkChange, MetadataView, Void>of(ChunkChange.class)
                    .run(ChunkChange.Present.class, (view, present) -> present(present))
                    .run(
                            ChunkChange.Gone.class,
                            (view, gone) -> this.condemned.remove(new ChunkOnVolume(gone.volume(), gone.chunk())))
                    .run(ChunkChange.ParityChecked.class, this::checked)
                    .ignore(
                            ChunkChange.Fenced.class,
                            ChunkChange.RepairFailed.class,
                            ChunkChange.Compared.class,
                            ChunkChange.Rewritten.class)
                    .build();
    private final NamenodeContext context;

    private final ClusterView cluster;
    private final TokenIssuer tokens;
    private final TreeMap<ChunkOnVolume, Long> condemned = new TreeMap<>();
    private final TreeMap<GroupId, Check> running = new TreeMap<>();
    private final Suspects suspects;
    private Optional<GroupId> next = Optional.empty();
    private long notBeforeMillis;
    private long checked;
    private long wrong;
    private long unclear;

    /**
     * A check under way.
     * @param reader makes it
     * @param accusation by another datanode, which it is to confirm
     */
    private record Check(
            DatanodeOrder.CheckParity order, DatanodeId reader, Optional<Accusation> accusation, long begunMillis) {
        Optional<ChunkId> accused() {
            return accusation.map(Accusation::chunk);
        }
    }

    public ParityScrubber(NamenodeContext context, ClusterView cluster, TokenIssuer tokens, Suspects suspects) {
        this.context = context;
        this.cluster = cluster;
        this.tokens = tokens;
        this.suspects = suspects;
        this.notBeforeMillis = context.nowMillis();
    }

    /**
     * Totals of this term.
     * @param checked groups that were read whole
     * @param wrong chunks that were identified
     * @param unclear groups that do not add up for an unknown reason
     */
    public record Totals(long checked, long wrong, long unclear) {}

    public Totals totals() {
        return new Totals(checked, wrong, unclear);
    }

    public void tick() {
        condemned.values().removeIf(since -> context.passed(DEADLINE, since));
        running.entrySet().removeIf(entry -> late(entry.getKey(), entry.getValue()));
        try (MetadataView view = context.facts().get()) {
            checkSuspects(view);
            if (!context.settings().parityCheck().on()) {
                return;
            }
            long pace = pace();
            boolean begun = true;
            while (begun && mayBegin(pace) && context.nowMillis() >= notBeforeMillis) {
                begun = begin(view, pace);
            }
        }
    }

    /** A check whose reader has died is given up at once: no other would be begun in its place for half an hour. */
    private boolean late(GroupId group, Check check) {
        boolean late = context.passed(DEADLINE, check.begunMillis())
                || !cluster.serving(check.order().volume());
        if (late) {
            LOG.info("event=parity_check_late group={} datanode={}", group, check.reader());
            suspects.unchecked(group);
        }
        return late;
    }

    private void checkSuspects(MetadataView view) {
        for (GroupFacts group : suspects.due(view)) {
            if (!running.containsKey(group.group())) {
                check(group, suspects.readable(group), suspects.accusation(group.group()))
                        .ifPresent(check -> running.put(group.group(), check));
            }
        }
    }

    /** Bytes a second, see {@link ParitySettings}. */
    private long pace() {
        long stored = cluster.topology().volumes().stream()
                .flatMap(volume -> cluster.table().load(volume).stream())
                .mapToLong(VolumeStatus::usedBytes)
                .sum();
        return context.settings().parityCheck().bytesPerSecond(stored, cluster.healthyDatanodes());
    }

    /**
     * So many checks of large groups as the pace needs; of small ones as many as are read until the datanodes have
     * answered.
     */
    private boolean mayBegin(long pace) {
        long datanodes = cluster.healthyDatanodes();
        if (running.size() < Math.min(datanodes, 1 + pace / CHECK_BYTES_PER_SECOND)) {
            return true;
        }
        long bytes = running.values().stream()
                .mapToLong(check -> bytesOf(check.order()))
                .sum();
        return running.size() < MOST_ON_A_DATANODE * datanodes && bytes < pace * ANSWERED_WITHIN.toMillis() / 1000;
    }

    /** @return false when no group was found that can be checked now */
    private boolean begin(MetadataView view, long pace) {
        int[] seen = new int[1];
        boolean[] begun = new boolean[1];
        GroupId first = next.orElseGet(() -> anywhere(view));
        next = Optional.of(new GroupId(1));
        view.groups(first, group -> {
            Optional<Check> check = running.containsKey(group.group()) || condemning(group.group())
                    ? Optional.empty()
                    : check(group, whole(group), suspects.accusation(group.group()));
            check.ifPresent(found -> {
                begun[0] = true;
                running.put(group.group(), found);
                // What a tick leaves over the next one may take: else one small group a tick would be all.
                long earliest =
                        context.nowMillis() - 2 * context.settings().tick().toMillis();
                notBeforeMillis = Math.max(notBeforeMillis, earliest) + bytesOf(found.order()) * 1000 / pace;
            });
            boolean enough = check.isPresent() || ++seen[0] == SLICE;
            if (enough) {
                next = Optional.of(new GroupId(group.group().value() + 1));
            }
            return !enough;
        });
        return begun[0];
    }

    /** Returns whether a chunk of it was condemned and its datanode has not reported it as corrupt yet. */
    private boolean condemning(GroupId group) {
        return condemned.keySet().stream()
                .anyMatch(stored -> stored.chunk().group().equals(group));
    }

    private GroupId anywhere(MetadataView view) {
        long last = view.count(Counter.LAST_GROUP);
        int epoch = last == 0 ? 0 : context.environment().randomness().nextInt(new GroupId(last).epoch() + 1);
        long numbers = view.lastNumber(epoch);
        return GroupId.of(
                epoch, 1 + Math.floorMod(context.environment().randomness().nextLong(), Math.max(1, numbers)));
    }

    /**
     * Empty when the group cannot be checked now.
     *
     * @param chunks to read; none: they are too few
     * @param accusation to confirm, by any datanode but the one that made it
     */
    private Optional<Check> check(GroupFacts group, List<ChunkLocation> chunks, Optional<Accusation> accusation) {
        if (group.open() || group.length() == 0 || chunks.isEmpty()) {
            return Optional.empty();
        }
        List<ChunkLocation> readers = chunks.stream()
                .filter(chunk -> cluster.serving(chunk.volume()))
                .filter(chunk -> accusation
                        .filter(made -> made.by().equals(chunk.datanode()))
                        .isEmpty())
                .toList();
        if (readers.isEmpty()) {
            return Optional.empty(); // what is left lies on failed volumes, whose datanodes compare nothing
        }
        long turn = group.group().value() + suspects.failures(group.group());
        ChunkLocation reader = readers.get((int) (turn % readers.size()));
        try {
            DatanodeOrder.CheckParity order = new DatanodeOrder.CheckParity(
                    reader.volume(),
                    group.group(),
                    group.policy(),
                    group.length(),
                    chunks,
                    tokens.forDatanode(group, reader.datanode(), DEADLINE));
            return Optional.of(new Check(order, reader.datanode(), accusation, context.nowMillis()));
        } catch (EcfsException e) {
            LOG.debug("event=parity_not_checked group={} reason=\"{}\"", group.group(), e.getMessage());
            return Optional.empty();
        }
    }

    /**
     * All chunks of the group; none while it is open, or when one of them cannot be read or may become unreadable at
     * any moment: it is repaired first.
     */
    private List<ChunkLocation> whole(GroupFacts group) {
        if (group.open()) {
            return List.of(); // which of its chunks are whole is not known yet
        }
        List<ChunkLocation> chunks = group.stored().stream()
                .filter(stored -> cluster.live(group, stored) && !cluster.inMaintenance(stored.volume()))
                .flatMap(stored -> cluster.topology().location(stored, ChunkLocation.State.LIVE).stream())
                .toList();
        return chunks.size() == group.policy().chunks() ? chunks : List.of();
    }

    /** Orders for a volume's datanode. */
    public List<DatanodeOrder> orders(VolumeId volume) {
        List<DatanodeOrder> orders = new ArrayList<>();
        running.values().stream()
                .map(Check::order)
                .filter(check -> check.volume().equals(volume))
                .forEach(orders::add);
        condemned.keySet().stream()
                .filter(stored -> stored.volume().equals(volume))
                .forEach(stored -> orders.add(new DatanodeOrder.Condemn(volume, stored.chunk())));
        return orders;
    }

    public void reported(MetadataView view, ChunkChange change) {
        onChange.apply(view, change);
    }

    private void present(ChunkChange.Present present) {
        if (present.record().state() == ChunkState.CORRUPT) {
            condemned.remove(
                    new ChunkOnVolume(present.volume(), present.record().chunk()));
        }
    }

    private void checked(MetadataView view, ChunkChange.ParityChecked answer) {
        Optional.ofNullable(running.get(answer.group()))
                .filter(check -> check.order().volume().equals(answer.volume()))
                .ifPresent(check -> {
                    running.remove(answer.group());
                    answered(view, check, answer).ifPresent(again -> running.put(answer.group(), again));
                });
    }

    /** @return a second check of the same group by another datanode: one alone may be wrong */
    private Optional<Check> answered(MetadataView view, Check check, ChunkChange.ParityChecked answer) {
        if (answer.finding().isEmpty()) {
            suspects.unread(answer.group());
            return Optional.empty();
        }
        Optional<Accusation> accusation = answer.wrong()
                .filter(wrong -> toBeConfirmed(check, wrong))
                .map(wrong -> new Accusation(wrong, check.reader()));
        if (accusation.isEmpty()) {
            judge(view, check, answer, answer.finding().get());
            return Optional.empty();
        }
        suspects.accused(accusation.get());
        Optional<Check> second = view.sealedGroup(answer.group())
                .flatMap(group -> check(
                        group, suspects.contains(group.group()) ? suspects.readable(group) : whole(group), accusation));
        if (second.isEmpty()) {
            suspects.unchecked(answer.group());
        }
        return second;
    }

    /** Returns whether the chunk was not accused before; a chunk that moved since counts as another one. */
    private static boolean toBeConfirmed(Check check, ChunkId wrong) {
        return check.accused()
                .map(accused -> accused.index() == wrong.index() && accused.generation() < wrong.generation())
                .orElse(true);
    }

    private static long bytesOf(DatanodeOrder.CheckParity order) {
        GroupLayout layout = new GroupLayout(order.policy(), order.groupLength());
        return layout.chunkBytes(order.policy().dataChunks()) * order.policy().chunks();
    }

    private void judge(MetadataView view, Check check, ChunkChange.ParityChecked answer, Finding finding) {
        checked++;
        Optional<ChunkId> accused = check.accused();
        if (finding == Finding.ALIKE) {
            accused.filter(Suspects.ids(check.order().chunks())::contains)
                    .ifPresent(chunk -> LOG.warn(
                            "event=parity_alike group={} accused={} reason=\"another datanode finds nothing wrong: it"
                                    + " was rebuilt meanwhile, or the first one reckons wrong\"",
                            answer.group(),
                            chunk));
            suspects.alike(view, answer.group(), check.order().chunks());
        } else if (accused.isPresent() && accused.equals(answer.wrong())) {
            condemn(view, check, accused.get());
        } else {
            unclear++;
            LOG.error(
                    "event=parity_unclear group={} chunks={} reason=\"the parity is not that of the data, and it is"
                            + " unknown which chunk is wrong: nothing was touched\"",
                    answer.group(),
                    check.order().chunks().size());
            suspects.undecided(
                    answer.group(),
                    check.order().chunks(),
                    "its chunks contradict each other, and no single one explains that: of "
                            + check.order().policy().chunks() + " were read "
                            + check.order().chunks().size());
        }
    }

    /** Condemns the chunk when the facts still place it there and the group can spare it; otherwise only logs it. */
    private void condemn(MetadataView view, Check check, ChunkId chunk) {
        wrong++;
        Optional<GroupFacts> group = view.sealedGroup(chunk.group());
        Optional<VolumeId> volume = group.flatMap(facts -> facts.volumeOf(chunk));
        boolean spare = group.filter(facts -> facts.policy().code().redundant(cluster.liveOthers(facts, chunk.index())))
                .isPresent();
        LOG.error(
                "event=parity_wrong chunk={} volume={} condemned={} reason=\"it does not belong to the others of its"
                        + " group though its checksums are right\"",
                chunk,
                volume.map(VolumeId::toString).orElse("-"),
                spare && volume.isPresent());
        if (spare) {
            volume.ifPresent(at -> condemned.put(new ChunkOnVolume(at, chunk), context.nowMillis()));
            suspects.condemned(chunk);
        } else {
            suspects.undecided(
                    chunk.group(), check.order().chunks(), chunk + " is wrong, and the group cannot spare it");
        }
    }
}
