package io.ecfs.namenode.rebalance;

import io.ecfs.env.Randomness;
import io.ecfs.layout.GroupId;
import io.ecfs.message.DatanodeId;
import io.ecfs.namenode.settings.MoverWeights;
import io.ecfs.namenode.stats.AccessWindow;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Algorithm 1 of the ec-store paper with its early stopping: some blocks, drawn by how likely they are to be read;
 * their chunks, those of the busiest datanodes first; destinations, the least busy ones and those that have what is
 * read together with the block. When the budget ends, the best move evaluated so far is taken. Pure and deterministic:
 * one random source and one snapshot give one answer.
 */
final class MoveChoice {
    /**
     * Budget of the search.
     * @param draws groups that are drawn, of which the {@code blocks} that are read most are evaluated
     * @param evaluations moves that are evaluated
     */
    public record Effort(int draws, int blocks, int partners, int chunks, int destinations, int evaluations) {
        /** Takes some milliseconds of a processor. */
        public static final Effort USUAL = new Effort(48, 12, 8, 3, 8, 240);

        public Effort {
            if (draws < 1 || blocks < 1 || partners < 1 || chunks < 1 || destinations < 1 || evaluations < 1) {
                throw new IllegalArgumentException("an effort that evaluates nothing");
            }
        }
    }

    /**
     * The least gain of a move.
     * @param gain more than this
     * @param standardErrors after so many of its own are subtracted, so that no move rests on a handful of requests
     */
    public record Least(double gain, double standardErrors) {
        double sure(Relocation move) {
            return move.gain() - standardErrors * move.error();
        }

        boolean reachedBy(Relocation move) {
            return sure(move) > gain;
        }
    }

    /** Moves that are excluded now, whatever they gain. */
    public interface Limits {
        boolean forbids(GroupId group, int index, MoverSite from, MoverSite to);

        /** Returns whether a move is excluded though it is legal and gains something. */
        boolean refuses(Relocation move);

        /** Returns whether a group is not considered at all now. */
        boolean rests(GroupId group);

        /** Reports that no move of the group gains anything. */
        void nothingToGain(GroupId group);
    }

    private final PlacementSnapshot picture;
    private final AccessWindow window;
    private final double windowSeconds;
    private final PlacementSnapshot.Blocks blocks;
    private final MoverWeights weights;
    private final Effort effort;

    public MoveChoice(
            PlacementSnapshot picture,
            AccessWindow window,
            double windowSeconds,
            PlacementSnapshot.Blocks blocks,
            MoverWeights weights,
            Effort effort) {
        this.picture = picture;
        this.window = window;
        this.windowSeconds = windowSeconds;
        this.blocks = blocks;
        this.weights = weights;
        this.effort = effort;
    }

    /**
     * The best moves that were found, at most one of a group; all gain more than the least. The paper's gain is that of
     * one read of the group; of two groups the one that is read more often gains more, so they are in the order of gain
     * times reads.
     */
    public List<Relocation> best(Randomness random, Least least, Limits limits) {
        List<Relocation> found = new ArrayList<>();
        int evaluated = 0;
        for (GroupId group : drawn(random, limits)) {
            Optional<PlacementSnapshot.Company> company = company(group);
            if (company.isEmpty()) {
                continue;
            }
            Relocation best = null;
            for (int index : chunks(company.get().block)) {
                MoverSite from =
                        picture.site(company.get().block.places().get(index)).orElseThrow();
                for (MoverSite to : destinations(company.get())) {
                    if (evaluated < effort.evaluations()
                            && !limits.forbids(group, index, from, to)
                            && !crowds(company.get().block, from, to)) {
                        evaluated++;
                        Relocation one = picture.value(company.get(), index, from, to, weights);
                        boolean better = best == null || least.sure(one) > least.sure(best);
                        best = better && !limits.refuses(one) ? one : best;
                    }
                }
            }
            if (best != null && least.reachedBy(best)) {
                found.add(best);
            } else if (evaluated < effort.evaluations()) {
                limits.nothingToGain(group);
            }
        }
        found.sort(Comparator.comparingDouble((Relocation move) -> -least.sure(move) * window.frequency(move.group()))
                .thenComparing(Relocation::group));
        return found;
    }

    private List<GroupId> drawn(Randomness random, Limits limits) {
        return window.draw(effort.draws(), random).stream()
                .filter(group -> !limits.rests(group))
                .sorted(Comparator.comparingLong((GroupId group) -> -window.frequency(group))
                        .thenComparing(Comparator.naturalOrder()))
                .limit(effort.blocks())
                .toList();
    }

    /**
     * The gain of a completed move by present knowledge: the cost of reads if the chunk were still at its source, less
     * their cost now; and how much nearer to the mean load both datanodes came. Empty when its group is gone, or the
     * chunk moved on.
     */
    public Optional<Double> realised(Relocation made) {
        Optional<PlacementSnapshot.Company> company = company(made.group());
        Optional<MoverSite> from = picture.site(made.from());
        Optional<MoverSite> to = picture.site(made.to());
        if (company.isEmpty()
                || from.isEmpty()
                || to.isEmpty()
                || !made.to().equals(company.get().block.places().get(made.index()))
                || company.get().block.on(made.from())) {
            return Optional.empty();
        }
        double access =
                -picture.access(company.get(), made.index(), made.from()).value();
        double balance = made.worseBefore()
                - PlacementSnapshot.worse(from.get().load(), to.get().load());
        return Optional.of(weights.access() * access + weights.balance() * balance);
    }

    private Optional<PlacementSnapshot.Company> company(GroupId group) {
        return blocks.find(group)
                .map(block -> new PlacementSnapshot.Company(
                        picture,
                        block,
                        window.frequency(group) / Math.max(1, windowSeconds),
                        window.samples(group),
                        window.partners(group, effort.partners()),
                        blocks));
    }

    private List<Integer> chunks(Block block) {
        return block.places().entrySet().stream()
                .filter(entry -> picture.site(entry.getValue()).isPresent())
                .sorted(Comparator.comparingDouble(
                        entry -> -picture.site(entry.getValue()).orElseThrow().load()))
                .limit(effort.chunks())
                .map(Map.Entry::getKey)
                .toList();
    }

    /** Half of them where the partners are, likeliest first; the others the least busy ones. */
    private List<MoverSite> destinations(PlacementSnapshot.Company company) {
        Set<DatanodeId> named = new HashSet<>(company.block.places().values());
        List<MoverSite> chosen = new ArrayList<>();
        for (PlacementSnapshot.Together together : company.together) {
            for (DatanodeId datanode : together.other().places().values()) {
                if (chosen.size() < effort.destinations() / 2 && named.add(datanode)) {
                    picture.site(datanode).filter(MoverSite::takes).ifPresent(chosen::add);
                }
            }
        }
        picture.sites().stream()
                .filter(site -> site.takes() && !named.contains(site.datanode()))
                .sorted(Comparator.comparingDouble(MoverSite::load))
                .limit(effort.destinations() - chosen.size())
                .forEach(chosen::add);
        return chosen;
    }

    /**
     * Returns whether the rack of the destination would have more chunks of the block than that of the source has now.
     * The rack of a datanode that reports no load is unknown here, so it may be either.
     */
    private boolean crowds(Block block, MoverSite from, MoverSite to) {
        boolean unknown = block.places().values().stream()
                .anyMatch(datanode -> picture.site(datanode).isEmpty());
        return unknown || others(block, from, to.rack()) > others(block, from, from.rack());
    }

    private long others(Block block, MoverSite moved, String rack) {
        return block.places().values().stream()
                .filter(datanode -> !datanode.equals(moved.datanode()))
                .filter(datanode -> picture.site(datanode).orElseThrow().rack().equals(rack))
                .count();
    }
}
