package io.ecfs.sim.time;

/** Something that must never be was seen: a bug of the system, or of the simulation. */
public final class SimulationFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public SimulationFailure(String message) {
        super(message);
    }

    public SimulationFailure(String message, Throwable cause) {
        super(message, cause);
    }

    public static void check(boolean holds, String message, Object... ids) {
        if (!holds) {
            throw new SimulationFailure(String.format(message, ids));
        }
    }
}
