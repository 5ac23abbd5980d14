package io.ecfs.dispatch;

import io.ecfs.error.Invariant;
import java.util.function.BiPredicate;
import java.util.function.Supplier;
import org.slf4j.Logger;

/**
 * The state of one thing. Each transition is checked against the table of its enum and logged at DEBUG; one that is not
 * in the table is a bug and stops the owner. For one thread.
 *
 * @param <S> the states; the comment of the enum has the table of transitions
 */
public final class StateMachine<S extends Enum<S>> {
    private final Logger log;
    private final String event;
    private final Supplier<String> subject;
    private final BiPredicate<S, S> mayBecome;
    private S state;

    /**
     * @param log of the owner
     * @param event name of a transition in the log
     * @param subject the thing, for log and errors: {@code group=g17}
     * @param mayBecome true for the transitions of the table
     */
    public StateMachine(Logger log, String event, Supplier<String> subject, S first, BiPredicate<S, S> mayBecome) {
        this.log = log;
        this.event = event;
        this.subject = subject;
        this.state = first;
        this.mayBecome = mayBecome;
    }

    /** The present state. */
    public S state() {
        return state;
    }

    /** True in this state. */
    public boolean is(S other) {
        return state == other;
    }

    /** @throws Invariant.Broken for a transition that the table does not have */
    public void enter(S next, String reason) {
        boolean edge = mayBecome.test(state, next);
        if (!edge || log.isDebugEnabled()) {
            String what = subject.get();
            Invariant.check(edge, "%s: %s goes from %s to %s: %s", event, what, state, next, reason);
            log.debug("event={} {} from={} to={} reason=\"{}\"", event, what, state, next, reason);
        }
        state = next;
    }
}
