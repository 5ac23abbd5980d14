package io.ecfs.sim.script;

import io.ecfs.fault.profile.FaultKind;
import io.ecfs.fault.profile.FaultStep;
import io.ecfs.fault.profile.Level;
import io.ecfs.fault.victim.StoredVolume;
import io.ecfs.layout.GroupId;
import io.ecfs.sim.time.SimulationFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * A fault and how far it is.
 *
 * <pre>
 *   WAITING --> LASTING --> UNDONE --> SETTLED (the cluster was whole since)
 * </pre>
 */
final class ScriptedFault {
    /** How far a fault is. */
    enum State {
        WAITING,
        LASTING,
        UNDONE,
        SETTLED
    }

    private final FaultStep step;
    private final List<ChunkDamage> damage = new ArrayList<>();
    private final Set<GroupId> lost = new TreeSet<>();
    private State state = State.WAITING;
    private List<String> victims = List.of();
    private List<StoredVolume> volumes = List.of();
    private long injectedNanos;
    private long injectedEpochMillis;
    private long undoneNanos;
    private boolean rebuilt;

    ScriptedFault(FaultStep step) {
        this.step = step;
    }

    FaultStep step() {
        return step;
    }

    FaultKind kind() {
        return step.fault();
    }

    State state() {
        return state;
    }

    boolean lasts() {
        return state == State.LASTING;
    }

    /** Returns whether its victims' chunks may be away. */
    boolean takesChunks() {
        return (state == State.LASTING || state == State.UNDONE)
                && kind().takesChunksAway()
                && step.victims().level().storesChunks();
    }

    boolean ofNamenodes() {
        Level level = step.victims().level();
        return level == Level.NAMENODE || level == Level.LEADER;
    }

    /** @param on volumes that it hurts; none of namenodes */
    void begin(List<String> names, List<StoredVolume> on, long nanos, long epochMillis) {
        become(State.WAITING, State.LASTING);
        victims = List.copyOf(names);
        volumes = List.copyOf(on);
        injectedNanos = nanos;
        injectedEpochMillis = epochMillis;
    }

    /** @param whole what it took away was rebuilt */
    void undone(long nanos, boolean whole) {
        become(State.LASTING, State.UNDONE);
        undoneNanos = nanos;
        rebuilt = whole;
    }

    void settled() {
        become(State.UNDONE, State.SETTLED);
    }

    private void become(State from, State to) {
        SimulationFailure.check(state == from, "%s is %s and not %s", kind(), state, from);
        state = to;
    }

    List<String> victims() {
        return victims;
    }

    List<StoredVolume> volumes() {
        return volumes;
    }

    /** Chunks that it damaged; it grows. */
    List<ChunkDamage> damage() {
        return damage;
    }

    /** Groups that are lost with it; it grows. */
    Set<GroupId> lost() {
        return lost;
    }

    long injectedNanos() {
        return injectedNanos;
    }

    long injectedEpochMillis() {
        return injectedEpochMillis;
    }

    long undoneNanos() {
        return undoneNanos;
    }

    boolean rebuilt() {
        return rebuilt;
    }
}
