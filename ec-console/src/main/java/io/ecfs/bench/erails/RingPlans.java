package io.ecfs.bench.erails;

import io.ecfs.bench.bed.erails.FlashDevice;
import io.ecfs.bench.bed.erails.Load;
import io.ecfs.bench.bed.erails.RingGroup;
import io.ecfs.bench.bed.erails.RingPlan;
import io.ecfs.bench.bed.erails.Windows;
import io.ecfs.code.CodeSpec;
import io.ecfs.layout.Policy;
import io.ecfs.layout.Ring;
import io.ecfs.layout.RingRates;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/** Runs of the paper's arrays: as many colours as chunks, and a volume of each colour. */
final class RingPlans {
    /** Requests under way of each stream: enough that no volume ever waits for one. */
    static final int DEPTH = 32;

    /** Of figures 9 and 10, and of ours with as many. */
    static final double READS_PER_WRITE = 3;

    private static final int CORES = 4;
    private static final double STAGED_TIMES = 2;

    private RingPlans() {}

    static CodeSpec code(int k, int m) {
        return Policy.parse("rs-van-" + k + "-" + m + "-64k").code();
    }

    static long objectBytes(ErailsSetting setting, CodeSpec code) {
        return setting.chunkRequests() ? ErailsSetting.REQUEST_BYTES * code.dataChunks() : ErailsSetting.REQUEST_BYTES;
    }

    private static FlashDevice device(ErailsSetting setting, CodeSpec code, long objectBytes) {
        return setting.media().device(setting.interference(), RingPlan.chunkBytes(objectBytes, code));
    }

    /** Between turns, where requests are so large. */
    static Duration turn(ErailsSetting setting, CodeSpec code, long objectBytes) {
        return setting.turn(device(setting, code, objectBytes));
    }

    /** Of as many turns as an array has colours. */
    static long rotationNanos(ErailsSetting setting, CodeSpec code, long objectBytes) {
        return code.chunks() * turn(setting, code, objectBytes).toNanos();
    }

    /** One array of n volumes. */
    static RingPlan array(ErailsSetting setting, CodeSpec code, Load load, Windows windows) {
        List<Integer> colours = IntStream.range(0, code.chunks()).boxed().toList();
        return of(setting, code, load, windows, colours, shifted(code.chunks()), 1);
    }

    /** Index i in colour i + r, for each r: data chunks are spread evenly. */
    private static List<RingGroup> shifted(int chunks) {
        return IntStream.range(0, chunks)
                .mapToObj(shift -> new RingGroup(IntStream.range(0, chunks)
                        .map(index -> (index + shift) % chunks)
                        .boxed()
                        .toList()))
                .toList();
    }

    /** @param clients that read and write, each with four cores */
    static RingPlan of(
            ErailsSetting setting,
            CodeSpec code,
            Load load,
            Windows windows,
            List<Integer> colours,
            List<RingGroup> groups,
            int clients) {
        FlashDevice device = device(setting, code, load.objectBytes());
        Ring ring = ring(setting, code);
        RingRates rates = rates(setting, code, load.objectBytes(), colours.size());
        double staged = rates.mostStaged(rates.writes(), setting.turn(device).toNanos() / 1e9);
        return new RingPlan(
                code,
                colours,
                groups,
                ring,
                windows,
                setting.turn(device),
                setting.guard(device),
                device,
                load,
                setting.journalBytes().orElse(Math.round(STAGED_TIMES * staged)),
                setting.failed(),
                setting.skew().toNanos(),
                setting.coding(),
                clients,
                CORES,
                setting.alwaysDecodes(),
                setting.seed());
    }

    static Ring ring(ErailsSetting setting, CodeSpec code) {
        int most = Ring.mostWriters(code, code.chunks());
        int writers = setting.writers().orElse(most);
        if (writers > most || writers < 1) {
            throw new IllegalArgumentException("of " + code.chunks() + " colours 1 to " + most + " write with " + code
                    + ", got " + writers + "; nearest is " + (writers < 1 ? 1 : most));
        }
        return new Ring(code.chunks(), writers);
    }

    static RingRates rates(ErailsSetting setting, CodeSpec code, long objectBytes, int volumes) {
        FlashDevice device = device(setting, code, objectBytes);
        long chunk = RingPlan.chunkBytes(objectBytes, code);
        return new RingRates(
                ring(setting, code), code, volumes, device.readRate(chunk, false), device.writeRate(chunk));
    }

    /** Part of its window in which a volume can write: not the guard, nor the same for the reads before it. */
    static double unguarded(RingPlan plan) {
        return 1
                - 2.0
                        * plan.guard().toNanos()
                        / (plan.ring().writers() * plan.turn().toNanos());
    }

    /** Most bytes of users written a second, less the guards. */
    static double mostWrites(RingPlan plan, RingRates rates) {
        return rates.writes() * unguarded(plan);
    }

    /**
     * The same, or what is dispatched with the reads if that is less.
     *
     * @param readRate of the run, bytes of users a second
     */
    static double writeBound(RingPlan plan, RingRates rates, double readRate) {
        double most = mostWrites(plan, rates);
        return plan.load().mix() == Load.Mix.COMPLETED
                ? most
                : Math.min(most, readRate / plan.load().readsPerWrite());
    }
}
