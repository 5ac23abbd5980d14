package io.ecfs.namenode.rebalance;

import io.ecfs.layout.GroupId;
import io.ecfs.message.DatanodeId;
import io.ecfs.namenode.settings.MoverWeights;
import io.ecfs.namenode.stats.AccessWindow;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Snapshot of the cluster in one decision (ec-store paper: C with omega and o_j), and the value of a move in it:
 * equations 5 to 8. Immutable.
 */
final class PlacementSnapshot {
    /**
     * Unit of E: a request to the usual datanode (the median, which one slow one does not change) for one chunk of the
     * block costs 6, as in the paper: 5 for the request, 1 for 50 KB (ec-store paper, V-B3). The larger the chunk, the
     * smaller the part of the request.
     */
    private static final double UNITS_OF_VISIT = 6;

    /** Bound of the factor by which the waits of a few seconds make a datanode seem busier. */
    private static final double MOST_BUSIER = 4;

    private final TreeMap<DatanodeId, MoverSite> sites = new TreeMap<>();
    private final double usualOverhead;
    private final double idleOverheadNanos;
    private final double perByteNanos;

    /**
     * @param idleOverheadNanos cost of a request to a datanode without a queue
     * @param perByteNanos cost of reading a byte: m
     */
    public PlacementSnapshot(Collection<MoverSite> all, double idleOverheadNanos, double perByteNanos) {
        for (MoverSite site : all) {
            sites.put(site.datanode(), site);
        }
        double[] overheads = sites.values().stream()
                .mapToDouble(MoverSite::overheadNanos)
                .sorted()
                .toArray();
        usualOverhead = overheads.length == 0 ? 1 : Math.max(1, overheads[(overheads.length - 1) / 2]);
        this.idleOverheadNanos = idleOverheadNanos;
        this.perByteNanos = perByteNanos;
    }

    Collection<MoverSite> sites() {
        return sites.values();
    }

    Optional<MoverSite> site(DatanodeId datanode) {
        return Optional.ofNullable(sites.get(datanode));
    }

    /** cost(C, {one, other}), in nanoseconds; infinite when one of them cannot be read. */
    double cost(Block one, Block other) {
        return PairCost.of(one, other, this::priceNanos, perByteNanos);
    }

    /**
     * The cost to all readers of one more read at a datanode, in nanoseconds: o_j times o_j over what is usual, within
     * bounds. A reader pays o_j and rightly chooses by it. But one that adds reads to a datanode makes all others wait
     * there, the more the longer its queue is (Pigou: the price of a road is also what the others on it lose). With o_j
     * alone, all that is read together comes together at a few datanodes that stay busy.
     */
    private double priceNanos(DatanodeId datanode) {
        MoverSite site = sites.get(datanode);
        if (site == null) {
            return Double.POSITIVE_INFINITY;
        }
        double busier = Math.min(MOST_BUSIER, Math.max(1 / MOST_BUSIER, site.overheadNanos() / usualOverhead));
        return site.overheadNanos() * busier;
    }

    /** A block with the blocks that are read together with it. */
    static final class Company {
        final Block block;
        /** Reads of it a second. */
        final double readsPerSecond;
        /** Requests from which the number of its reads is estimated. */
        private final int samples;

        final List<Together> together = new ArrayList<>();

        Company(
                PlacementSnapshot picture,
                Block block,
                double readsPerSecond,
                int samples,
                List<AccessWindow.Partner> partners,
                Blocks known) {
            this.block = block;
            this.readsPerSecond = readsPerSecond;
            this.samples = samples;
            for (AccessWindow.Partner partner : partners) {
                Optional<Block> other = known.find(partner.group());
                if (other.isPresent()) {
                    double cost = picture.cost(block, other.get());
                    if (!Double.isInfinite(cost)) {
                        together.add(new Together(other.get(), partner, cost));
                    }
                }
            }
        }
    }

    /**
     * A block that is read together with another.
     *
     * @param cost of both now, see {@link #cost}
     */
    record Together(Block other, AccessWindow.Partner partner, double cost) {}

    /** Sealed groups whose chunks can be read. */
    @FunctionalInterface
    public interface Blocks {
        /** Empty for one that is gone, open, or not whole. */
        Optional<Block> find(GroupId group);
    }

    /**
     * An estimate from samples.
     * @param error its standard error; errors of parts are assumed to be correlated, so it is rather too large
     */
    record Estimate(double value, double error) {}

    /**
     * E(C, b, s, d) of equation 5, of one read of the block with one partner: the paper's sum over all of them counts a
     * datanode that a request turns to once for each of its blocks, and drowns the load of datanodes. A partner that is
     * known from c requests is known to one part in the square root of c.
     */
    Estimate access(Company company, int index, DatanodeId to) {
        Block moved = company.block.with(index, to);
        double saved = 0;
        double error = 0;
        double partners = 0;
        for (Together together : company.together) {
            AccessWindow.Partner partner = together.partner();
            double one = (together.cost() - cost(moved, together.other())) * partner.likelihood();
            saved += one;
            partners += partner.likelihood();
            error += Math.abs(one) / Math.sqrt(partner.samples());
        }
        double unit = unitNanos(company.block) * Math.max(1, partners);
        return new Estimate(saved / unit, error / unit);
    }

    /**
     * A sixth of the time of a request for one chunk, with the usual wait: waiting stretches requests and reads alike,
     * as it is the requests of others. So a request that is saved is worth the less the larger chunks are.
     */
    private double unitNanos(Block block) {
        double stretched = usualOverhead / idleOverheadNanos;
        return stretched * (idleOverheadNanos + perByteNanos * block.chunkBytes()) / UNITS_OF_VISIT;
    }

    /**
     * The part of the mean load that moves with a chunk: that of its datanode, in proportion to the bytes that are read
     * of it. Each read takes any k of n chunks.
     */
    double loadOf(Company company, MoverSite from) {
        double bytes = company.readsPerSecond
                * company.block.chunkBytes()
                * company.block.least()
                / Math.max(1, company.block.places().size());
        return from.bytesPerSecond() > 0 ? from.load() * Math.min(1, bytes / from.bytesPerSecond()) : 0;
    }

    /** Omega(C, S_s, S_d) of equation 6. */
    static double worse(double one, double other) {
        return Math.max(Math.abs(1 - one), Math.abs(1 - other));
    }

    /** The value of one move, and why. */
    Relocation value(Company company, int index, MoverSite from, MoverSite to, MoverWeights weights) {
        Estimate access = access(company, index, to.datanode());
        double moved = loadOf(company, from);
        double before = worse(from.load(), to.load());
        double balance = before - worse(from.load() - moved, to.load() + moved);
        return new Relocation(
                company.block.group(),
                index,
                from.datanode(),
                to.datanode(),
                company.block.chunkBytes(),
                access.value(),
                balance,
                weights.access() * access.value() + weights.balance() * balance,
                weights.access() * access.error()
                        + weights.balance() * Math.abs(balance) / Math.sqrt(Math.max(1, company.samples)),
                moved,
                before);
    }
}
