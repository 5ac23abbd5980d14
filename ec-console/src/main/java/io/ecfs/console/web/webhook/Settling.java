package io.ecfs.console.web.webhook;

import io.ecfs.console.view.Health;
import java.time.Duration;
import java.util.Optional;

/**
 * Delays a change of the verdict until it has lasted: a change of leader takes some seconds and alerts nobody. For one
 * thread.
 */
final class Settling {
    private record Verdict(Health.Level level, boolean atRisk) {}

    private final Duration hold;
    private Optional<Verdict> latest = Optional.empty();
    private long sinceNanos;
    private Optional<Situation> settled = Optional.empty();

    /** @param hold how long a verdict must last */
    Settling(Duration hold) {
        this.hold = hold;
    }

    /** Returns the incidents of now with the verdict that lasted; empty before the first one has. */
    Optional<Situation> after(Situation now, long nanos) {
        Verdict verdict = new Verdict(now.health().level(), now.atRisk());
        if (!latest.equals(Optional.of(verdict))) {
            latest = Optional.of(verdict);
            sinceNanos = nanos;
        }
        if (nanos - sinceNanos >= hold.toNanos()) {
            settled = Optional.of(now);
        }
        return settled.map(lasted -> new Situation(now.cluster(), lasted.health(), lasted.atRisk(), now.incidents()));
    }
}
