package io.ecfs.bench.erails;

import io.ecfs.bench.bed.erails.Load;
import io.ecfs.bench.bed.erails.RingBed;
import io.ecfs.bench.bed.erails.RingOutcome;
import io.ecfs.bench.bed.erails.RingPlan;
import io.ecfs.bench.bed.erails.Windows;
import io.ecfs.code.CodeSpec;
import io.ecfs.layout.RingRates;

/**
 * The same requests three times: reads alone on the readers of a ring, beside writes with the ring, and beside writes
 * without roles.
 *
 * @param plan of the run with the ring
 * @param rates of its devices
 */
record Separation(RingPlan plan, RingRates rates, RingOutcome readOnly, RingOutcome ring, RingOutcome mixed) {
    static Separation run(ErailsSetting setting, CodeSpec code, Load load) {
        RingPlan plan = RingPlans.array(setting, code, load, Windows.FIXED);
        return new Separation(
                plan,
                RingPlans.rates(setting, code, load.objectBytes(), code.chunks()),
                RingBed.run(plan.with(load.readOnly())),
                RingBed.run(plan),
                RingBed.run(plan.with(Windows.NONE)));
    }

    /** Reads beside writes by reads alone. */
    double readShare() {
        return ring.readRate() / readOnly.readRate();
    }

    double mixedReadShare() {
        return mixed.readRate() / readOnly.readRate();
    }

    /** What the mix allows of it: where it is held, reads wait for writes. */
    double mostReadShare() {
        return plan.load().mix() == Load.Mix.DISPATCH
                ? 1
                : Math.min(1, plan.load().readsPerWrite() * RingPlans.mostWrites(plan, rates) / readOnly.readRate());
    }

    /** What {@link #writeShare} is a share of, bytes of users a second. */
    double writeBound() {
        return RingPlans.writeBound(plan, rates, ring.readRate());
    }

    double writeShare() {
        return ring.writeRate() / writeBound();
    }

    double p99Ratio() {
        return ring.readNanos().p99() / readOnly.readNanos().p99();
    }

    double mixedP99Ratio() {
        return mixed.readNanos().p99() / readOnly.readNanos().p99();
    }

    double p999Ratio() {
        return ring.readNanos().p999() / readOnly.readNanos().p999();
    }

    double mixedP999Ratio() {
        return mixed.readNanos().p999() / readOnly.readNanos().p999();
    }

    /** The lowest rate around a turn, by reads alone; infinite without a turn. */
    double leastAtTurns() {
        return plan.load().objectBytes() * ring.atTurns().rate() / readOnly.readRate();
    }
}
