package io.ecfs.sim;

/** Something that must never be was seen: a bug of the system, or of the simulation. */
final class SimulationFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    SimulationFailure(String message) {
        super(message);
    }

    SimulationFailure(String message, Throwable cause) {
        super(message, cause);
    }

    static void check(boolean holds, String message, Object... ids) {
        if (!holds) {
            throw new SimulationFailure(String.format(message, ids));
        }
    }
}
