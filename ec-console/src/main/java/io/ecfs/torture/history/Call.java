package io.ecfs.torture.history;

import java.util.Objects;

/**
 * One call of one client thread.
 *
 * @param process number of the thread, unique also among restarted clients; it has one call open at a time
 * @param invokeNanos monotonic time right before it, as {@code returnNanos} right after it
 * @param returnNanos {@link #NEVER} for an unknown outcome: it may have its effect at any time after its invocation, or
 *     never
 */
public record Call(int process, Operation operation, long invokeNanos, long returnNanos, Answer answer) {
    public static final long NEVER = Long.MAX_VALUE;

    public Call {
        Objects.requireNonNull(operation, "operation");
        Objects.requireNonNull(answer, "answer");
        if (answer instanceof Answer.Unknown) {
            returnNanos = NEVER;
        }
        if (returnNanos < invokeNanos) {
            throw new IllegalArgumentException(
                    "process " + process + " returned from " + operation + " before it called");
        }
    }

    public boolean unknown() {
        return answer instanceof Answer.Unknown;
    }

    /** The same call with its outcome forgotten: what is then impossible was impossible before. */
    public Call forgotten() {
        return new Call(process, operation, invokeNanos, NEVER, new Answer.Unknown("forgotten"));
    }
}
