package io.ecfs.namenode.log;

/**
 * This namenode's state cannot go on: an entry that it cannot read, or facts that are not those of the others. Nothing after the last
 * applied entry is applied, and the namenode neither leads nor serves until an operator did what the message says, in one line.
 */
public final class StateStopped extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public StateStopped(String message, Throwable cause) {
        super(message, cause);
    }
}
