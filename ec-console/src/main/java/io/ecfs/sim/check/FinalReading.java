package io.ecfs.sim.check;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.FilePath;
import io.ecfs.sim.cluster.Expectation;
import io.ecfs.sim.cluster.Expectation.Outcome;
import io.ecfs.sim.cluster.Ledger;
import io.ecfs.sim.cluster.SimSettings.Twist;
import io.ecfs.sim.cluster.SimWorkload;
import io.ecfs.sim.cluster.UpdatedFile;
import io.ecfs.sim.cluster.World;
import io.ecfs.sim.time.SimulationFailure;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;

/**
 * In the healed world a new client shows that files can be written again, then reads every path of the ledger and
 * compares it with what may be there.
 */
public final class FinalReading {
    private static final int NUMBERS_TAKEN = 20;

    private final World world;
    private final Ledger ledger;
    private final SimWorkload deeds;
    private final Queue<FilePath> left;
    private final Queue<UpdatedFile> updated;
    private final Map<Long, FilePath> found = new HashMap<>();
    private boolean over;

    public FinalReading(World world, Ledger ledger, SimWorkload deeds) {
        this.world = world;
        this.ledger = ledger;
        this.deeds = deeds;
        this.left = new ArrayDeque<>(ledger.paths());
        left.addAll(ledger.relics());
        this.updated = new ArrayDeque<>(ledger.updated());
    }

    public boolean over() {
        return over;
    }

    /** @param proof a path that no client has written */
    public void begin(FilePath proof) {
        begin(proof, numbersTaken());
    }

    private int numbersTaken() {
        return world.settings().twist() == Twist.ROLLED_BACK ? NUMBERS_TAKEN : 0;
    }

    /** @param again how often it may fail: group numbers are given once more whose chunks datanodes have */
    private void begin(FilePath proof, int again) {
        deeds.write(proof).whenComplete((done, failure) -> {
            if (failure != null && again > 0) {
                begin(proof, again - 1);
                return;
            } else if (failure != null) {
                fail("no file can be written in the healed world: " + failure.getMessage());
            }
            left.add(proof);
            next();
        });
    }

    private void next() {
        FilePath path = left.poll();
        if (path == null) {
            nextUpdated();
            return;
        }
        deeds.read(path, Integer.MAX_VALUE).whenComplete((bytes, failure) -> {
            if (failure == null) {
                present(path, bytes);
                next();
            } else {
                unreadable(path, EcfsException.of(failure));
            }
        });
    }

    /** Opens each once more for update. */
    private void nextUpdated() {
        UpdatedFile file = updated.poll();
        if (file == null) {
            over = true;
        } else {
            update(file, numbersTaken());
        }
    }

    /** @param again how often it may fail, as in {@link #begin(FilePath, int)} */
    private void update(UpdatedFile file, int again) {
        deeds.ofUpdates().proveUpdatable(file).whenComplete((done, failure) -> {
            if (failure != null && again > 0) {
                update(file, again - 1);
                return;
            } else if (failure != null) {
                fail(file.path() + " cannot be updated in the healed world: " + failure.getMessage());
            }
            nextUpdated();
        });
    }

    private void present(FilePath path, byte[] bytes) {
        if (ledger.relic(path)) {
            if (!ledger.once(path, bytes)) {
                fail(path + " has " + bytes.length + " bytes that were never there");
            }
            return;
        }
        Optional<Outcome.Written> file = ledger.at(path).match(bytes);
        if (file.isEmpty()) {
            fail(path + " should be " + ledger.at(path) + ", it has " + bytes.length + " bytes "
                    + ledger.at(path).describe(bytes));
        } else if (bytes.length > 0) {
            FilePath other = found.put(file.get().tag(), path);
            if (other != null) {
                fail("the contents of one file are at " + other + " and at " + path);
            }
        }
    }

    private void unreadable(FilePath path, EcfsException e) {
        Expectation expected = ledger.at(path);
        if (ledger.relic(path)) {
            next();
        } else if (e.code() == ErrorCode.NOT_FOUND) {
            if (!expected.mayBeAbsent()) {
                fail(path + " should be " + expected + ": " + e.getMessage());
            }
            next();
        } else if (world.settings().onlySyncedStays() && expected.certain().isEmpty()) {
            // What was never acknowledged may be gone with the power; what was is there.
            deeds.read(path, expected.least()).whenComplete((bytes, failure) -> {
                if (failure != null) {
                    fail("the acknowledged " + expected.least() + " bytes of " + path + ": " + failure.getMessage());
                }
                next();
            });
        } else {
            fail(path + " should be " + expected + " and cannot be read: " + e.getMessage());
        }
    }

    private void fail(String message) {
        world.time().raise(new SimulationFailure(message));
    }
}
