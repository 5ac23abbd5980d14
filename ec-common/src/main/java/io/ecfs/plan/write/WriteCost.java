package io.ecfs.plan.write;

import io.ecfs.layout.WriteSide;
import java.util.EnumMap;
import java.util.Map;

/**
 * The time of one write alone: one client, one stripe under way. The sum of the paper's formula 5 with its factor r,
 * which counts records, read as 1 (the sum over records would be quadratic otherwise), and with the fan-out that the
 * formula lacks: LS = alpha + (k + m - 1) (R/k) / B, since all slaves share the master's link. Through a master that
 * forwards by cell, distribution is what is left of it when the last data cell is there, less the master's work
 * ({@link ForwardingPath}), as datanodes of this file system count it: so the sum of steps stays the time that passes.
 *
 * @param constants of the hardware
 * @param shape of the write
 * @param network that carries it
 * @param slowness s_i of the slowest slave, which the paper does not define: how many times longer than the others its
 *     distribution takes; 1 when all are alike
 */
public record WriteCost(WriteConstants constants, WriteShape shape, Network network, double slowness) {
    public WriteCost {
        if (!(slowness >= 1) || Double.isInfinite(slowness)) {
            throw new IllegalArgumentException(
                    "the slowest slave takes 1 time or more of the others', got " + slowness);
        }
    }

    public WriteCost(WriteConstants constants, WriteShape shape, Network network) {
        this(constants, shape, network, 1);
    }

    /** Nanoseconds of a part. */
    public double nanos(WritePart part) {
        if (part != WritePart.DISTRIBUTING) {
            return work(part);
        }
        return slowness * (forwardsByCell() ? leftOfDistribution() : work(part));
    }

    /** Nanoseconds of distribution that pass while data still comes or the master works: no step has them. */
    public double hiddenNanos() {
        return forwardsByCell() ? work(WritePart.DISTRIBUTING) - leftOfDistribution() : 0;
    }

    private double work(WritePart part) {
        return nanos(part, part.terms().toArray(CostTerm[]::new));
    }

    /** True for a write through a master that forwards each data cell as it comes. */
    boolean forwardsByCell() {
        return shape.side() == WriteSide.MASTER && constants.forwarding() == Forwarding.BY_CELL;
    }

    /** Of one stripe, all slaves alike. */
    ForwardingPath.Times forwardingTimes() {
        double stripes = shape.stripes();
        double sent = stripes * Math.max(1, shape.fanOut());
        return new ForwardingPath.Times(
                nanos(WritePart.TRANSFERRING, CostTerm.TO_MASTER) / stripes / shape.dataChunks(),
                (work(WritePart.MANAGING) + work(WritePart.ENCODING)) / stripes,
                nanos(WritePart.DISTRIBUTING, CostTerm.MESSAGE, CostTerm.SENT_BYTE) / sent,
                nanos(WritePart.DISTRIBUTING, CostTerm.WIRE, CostTerm.GIGABIT) / sent);
    }

    private double leftOfDistribution() {
        ForwardingPath.Times times = forwardingTimes();
        double end = ForwardingPath.of(shape.dataChunks(), shape.parityChunks(), times)
                .endNanos(times);
        return shape.stripes() * Math.max(0, end - times.working())
                + nanos(WritePart.DISTRIBUTING, CostTerm.STRIPE, CostTerm.ROUND_TRIP);
    }

    /** Nanoseconds of some terms of a part, all slaves alike and nothing overlapped. */
    public double nanos(WritePart part, CostTerm... terms) {
        if (part.ofMasterOnly() && shape.side() == WriteSide.CLIENT) {
            return 0;
        }
        double sum = 0;
        for (CostTerm term : terms) {
            double coefficient = constants.coefficient(part, term);
            sum += coefficient == 0 ? 0 : coefficient * term.of(shape, network);
        }
        return sum;
    }

    /** A coefficient itself: the factor of a term of the network, nanoseconds of others. */
    public double coefficient(WritePart part, CostTerm term) {
        return constants.coefficient(part, term);
    }

    /** Nanoseconds of a step. */
    public double nanos(WriteStep step) {
        double sum = 0;
        for (WritePart part : WritePart.values()) {
            sum += part.step() == step ? nanos(part) : 0;
        }
        return sum;
    }

    /** Nanoseconds of the five steps, in their order. */
    public Map<WriteStep, Double> steps() {
        Map<WriteStep, Double> steps = new EnumMap<>(WriteStep.class);
        for (WriteStep step : WriteStep.values()) {
            steps.put(step, nanos(step));
        }
        return steps;
    }

    /** WT of one record, in nanoseconds. */
    public double nanos() {
        double sum = 0;
        for (WriteStep step : WriteStep.values()) {
            sum += nanos(step);
        }
        return sum;
    }
}
