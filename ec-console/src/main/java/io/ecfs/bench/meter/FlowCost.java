package io.ecfs.bench.meter;

import io.ecfs.message.Metering;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Traffic of one daemon with one kind of caller in a part. */
record FlowCost(
        Daemon daemon,
        Metering.CallerKind caller,
        long requests,
        long receivedBytes,
        long sentBytes,
        double handledSeconds) {

    /** Of the daemons that answered both times and ran all the while. */
    static List<FlowCost> between(Map<Daemon, Metering.Counts> before, Map<Daemon, Metering.Counts> now) {
        List<FlowCost> costs = new ArrayList<>();
        now.forEach((daemon, counts) -> {
            for (Metering.Flow flow : counts.flows()) {
                FlowCost cost = of(daemon, flow, flow(before.get(daemon), flow.caller()));
                if (flow.caller() != Metering.CallerKind.OTHER && cost.requests > 0) {
                    costs.add(cost);
                }
            }
        });
        return costs;
    }

    public long bytes() {
        return receivedBytes + sentBytes;
    }

    private static Optional<Metering.Flow> flow(Metering.Counts counts, Metering.CallerKind caller) {
        return counts.flows().stream().filter(flow -> flow.caller() == caller).findFirst();
    }

    private static FlowCost of(Daemon daemon, Metering.Flow now, Optional<Metering.Flow> before) {
        Metering.Flow from = before.orElse(new Metering.Flow(now.caller(), 0, 0, 0, 0));
        return new FlowCost(
                daemon,
                now.caller(),
                now.requests() - from.requests(),
                now.receivedBytes() - from.receivedBytes(),
                now.sentBytes() - from.sentBytes(),
                (now.handledNanos() - from.handledNanos()) / 1e9);
    }
}
