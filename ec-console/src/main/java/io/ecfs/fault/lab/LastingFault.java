package io.ecfs.fault.lab;

import io.ecfs.fault.inject.Hurt;
import io.ecfs.fault.inject.UndoStack;
import io.ecfs.fault.profile.FaultStep;
import java.util.SortedMap;

/**
 * A fault that was injected and is not undone.
 *
 * @param injectedMillis since the epoch
 * @param lastIncident before it
 */
record LastingFault(
        FaultStep step,
        Hurt hurt,
        UndoStack.Entry undo,
        long injectedMillis,
        long lastIncident,
        SortedMap<Integer, Long> lossesPerGroup,
        int leastSpare) {
    InjectedFault undoneAt(long undoneMillis) {
        return new InjectedFault(step.fault(), hurt.names(), injectedMillis, undoneMillis, lossesPerGroup, leastSpare);
    }
}
