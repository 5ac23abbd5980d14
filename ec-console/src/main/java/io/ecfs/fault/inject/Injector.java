package io.ecfs.fault.inject;

import io.ecfs.fault.profile.FaultStep;
import java.io.IOException;

/** Injects the faults of one kind of target. */
interface Injector {
    /** Injects it into all victims, one right after the other, and says how it is undone. */
    Undo inject(FaultStep step, Hurt hurt) throws IOException, InterruptedException;
}
