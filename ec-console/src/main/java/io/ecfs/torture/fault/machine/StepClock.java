package io.ecfs.torture.fault.machine;

import io.ecfs.torture.fault.MachineFault;
import io.ecfs.torture.fault.TortureSite;
import java.time.Duration;
import java.util.Locale;
import java.util.SplittableRandom;

/** A daemon's wall clock steps a quarter of an hour forwards or back, and returns when the fault ends. */
public record StepClock(Victim victim) implements MachineFault {
    private static final Duration STEP = Duration.ofMinutes(15);

    @Override
    public String name() {
        return "step-clock-" + victim.name().toLowerCase(Locale.ROOT);
    }

    @Override
    public Inflicted inflict(TortureSite site, String id, SplittableRandom random) {
        Duration by = random.nextBoolean() ? STEP : STEP.negated();
        return site.machines().stepClock(id, by)::run;
    }
}
