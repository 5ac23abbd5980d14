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
 * read together with the block. Whatever was looked at when the budget ends, the best of it is taken. Pure and
 * deterministic: one random source and one picture give one answer.
 */
public final class MoveChoice {
    /**
     * How hard to look.
     *
     * @param draws groups that are drawn, of which the {@code blocks} that are read most are looked at
     * @param looks moves that are valued
     */
    public record Effort(int draws, int blocks, int partners, int chunks, int destinations, int looks) {
        /** Some milliseconds of a processor. */
        public static final Effort USUAL = new Effort(48, 12, 8, 3, 8, 240);

        public Effort {
            if (draws < 1 || blocks < 1 || partners < 1 || chunks < 1 || destinations < 1 || looks < 1) {
                throw new IllegalArgumentException("an effort that looks at nothing");
            }
        }
    }

    /**
     * What a move has to gain.
     *
     * @param gain more than this
     * @param standardErrors after so many of its own are taken off, so that no move rests on a handful of requests
     */
    public record Least(double gain, double standardErrors) {
        double sure(Relocation move) {
            return move.gain() - standardErrors * move.error();
        }

        boolean reachedBy(Relocation move) {
            return sure(move) > gain;
        }
    }

    /** Which moves are out of the question now, whatever they gain. */
    public interface Limits {
        boolean forbids(GroupId group, int index, MoverSite from, MoverSite to);

        /** A move that is legal and gains something, and is not to be made all the same. */
        boolean refuses(Relocation move);

        /** A group that is not looked at now at all. */
        boolean rests(GroupId group);

        /** Is told that no move of the group gains anything. */
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
        int looks = 0;
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
                    if (looks < effort.looks()
                            && !limits.forbids(group, index, from, to)
                            && !crowds(company.get().block, from, to)) {
                        looks++;
                        Relocation one = picture.value(company.get(), index, from, to, weights);
                        boolean better = best == null || least.sure(one) > least.sure(best);
                        best = better && !limits.refuses(one) ? one : best;
                    }
                }
            }
            if (best != null && least.reachedBy(best)) {
                found.add(best);
            } else if (looks < effort.looks()) {
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
     * What a move that was made gains by what is known now: what reads cost if the chunk lay where it came from, less
     * what they cost; and how much nearer to the mean load both datanodes came. Empty when its group is gone, or the
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

    /** Half of them where the partners are, likeliest first; the others where least is going on. */
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
     * Of a datanode that tells nothing of itself the rack is not known here, so it may be either.
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
