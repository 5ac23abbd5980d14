package io.ecfs.fault.inject;

import io.ecfs.fault.profile.FaultKind;
import io.ecfs.fault.profile.FaultStep;
import java.io.IOException;
import java.util.EnumMap;
import java.util.Map;
import java.util.SplittableRandom;

/** Injects faults into one cluster. */
public final class Injectors {
    private final Map<FaultKind.Target, Injector> byTarget = new EnumMap<>(FaultKind.Target.class);

    /** @param random chooses bits and chunks */
    public Injectors(LabSite site, SplittableRandom random) {
        byTarget.put(FaultKind.Target.PROCESS, new ProcessInjector(site));
        byTarget.put(FaultKind.Target.LINK, new LinkInjector(site));
        byTarget.put(FaultKind.Target.DISK, new DiskInjector(site));
        byTarget.put(FaultKind.Target.CHUNK, new ChunkInjector(site, random));
    }

    /** Injects a fault into all victims, one right after the other, and says how it is undone. */
    public Undo inject(FaultStep step, Hurt hurt) throws IOException, InterruptedException {
        return byTarget.get(step.fault().target()).inject(step, hurt);
    }
}
