package io.ecfs.bench.bed.write;

import io.ecfs.plan.write.CostTerm;
import io.ecfs.plan.write.WriteCost;
import io.ecfs.plan.write.WritePart;

/**
 * Nanoseconds of one stripe at each place that it comes to, of the same constants as the cost model's.
 *
 * @param copying by the client's processor, sending to a master included
 * @param transferWait for the transfer to the master beside processor and network
 * @param transferWire on the client's link to the master
 * @param managing by the master's processor
 * @param encoding by the processor of the side that encodes
 * @param sending by the same processor
 * @param cellWire of one cell on a link
 * @param distributionWait for the exchange beside processors and network
 * @param serving by a slave's processor
 * @param call by the namenode
 * @param callWait for the answer beside that
 * @param forwarded a master sends each data cell on as it comes
 */
record StripeTimes(
        long copying,
        long transferWait,
        long transferWire,
        long managing,
        long encoding,
        long sending,
        long cellWire,
        long distributionWait,
        long serving,
        long call,
        long callWait,
        boolean forwarded) {
    static StripeTimes of(WriteCost cost) {
        double stripes = cost.shape().stripes();
        return new StripeTimes(
                round((cost.nanos(WritePart.COPYING) + cost.nanos(WritePart.TRANSFERRING, CostTerm.BYTE)) / stripes),
                round(cost.nanos(WritePart.TRANSFERRING, CostTerm.STRIPE) / stripes),
                round(cost.nanos(WritePart.TRANSFERRING, CostTerm.TO_MASTER) / stripes),
                round(cost.nanos(WritePart.MANAGING) / stripes),
                round(cost.nanos(WritePart.ENCODING) / stripes),
                round(cost.nanos(WritePart.DISTRIBUTING, CostTerm.MESSAGE, CostTerm.SENT_BYTE) / stripes),
                round(cost.nanos(WritePart.DISTRIBUTING, CostTerm.WIRE, CostTerm.GIGABIT)
                        / stripes
                        / cost.shape().fanOut()),
                round(cost.nanos(WritePart.DISTRIBUTING, CostTerm.STRIPE) / stripes),
                round(cost.nanos(WritePart.SERVING) / stripes),
                round(cost.coefficient(WritePart.ASKING, CostTerm.CALL)),
                round(cost.coefficient(WritePart.ASKING, CostTerm.CALL_WAIT)),
                cost.coefficient(WritePart.DISTRIBUTING, CostTerm.FORWARDED) > 0);
    }

    private static long round(double nanos) {
        return Math.round(nanos);
    }
}
