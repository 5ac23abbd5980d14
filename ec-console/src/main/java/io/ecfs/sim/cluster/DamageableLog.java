package io.ecfs.sim.cluster;

import io.ecfs.namenode.log.ReplicatedState;
import io.ecfs.namenode.log.StateStopped;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A namenode's state behind a log of which an entry may be damaged, or of a kind that only another release reads. */
final class DamageableLog implements ReplicatedState {
    private final ReplicatedState state;
    private boolean damaged;
    private boolean stopped;

    DamageableLog(ReplicatedState state) {
        this.state = state;
    }

    void damageNext() {
        damaged = true;
    }

    boolean damaged() {
        return damaged;
    }

    boolean stopped() {
        return stopped;
    }

    @Override
    public List<byte[]> apply(Position position, List<byte[]> entry) {
        if (!damaged) {
            return state.apply(position, entry);
        }
        List<byte[]> commands = new ArrayList<>(entry);
        byte[] last = commands.get(entry.size() - 1).clone();
        last[0] = (byte) ~last[0];
        commands.set(entry.size() - 1, last);
        try {
            return state.apply(position, commands);
        } catch (StateStopped e) {
            stopped = true;
            throw e;
        }
    }

    @Override
    public void skip(Position position) {
        state.skip(position);
    }

    @Override
    public Position applied() {
        return state.applied();
    }

    @Override
    public Position checkpoint(Path directory) {
        return state.checkpoint(directory);
    }

    @Override
    public boolean wantsCheckpoint() {
        return state.wantsCheckpoint();
    }

    @Override
    public void install(Path directory) {
        state.install(directory);
    }

    @Override
    public long stateHash() {
        return state.stateHash();
    }
}
