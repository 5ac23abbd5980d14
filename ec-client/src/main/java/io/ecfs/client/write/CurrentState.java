package io.ecfs.client.write;

import io.ecfs.error.Invariant;
import io.ecfs.message.FilePath;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The state of one writer, and the only place where it changes. Owned by the client's owner thread. */
final class CurrentState {
    private static final Logger LOG = LoggerFactory.getLogger(CurrentState.class);

    private final FilePath path;
    private WriterState now = WriterState.ALLOCATED;

    CurrentState(FilePath path) {
        this.path = path;
    }

    WriterState now() {
        return now;
    }

    void enter(WriterState next, String reason) {
        Invariant.check(now.mayBecome(next), "writer of %s goes from %s to %s: %s", path, now, next, reason);
        LOG.debug("event=writer_state path={} from={} to={} reason=\"{}\"", path, now, next, reason);
        now = next;
    }
}
