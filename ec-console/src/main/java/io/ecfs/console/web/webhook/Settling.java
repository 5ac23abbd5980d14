package io.ecfs.console.web.webhook;

import io.ecfs.console.view.Health;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Delays a change of the verdict until it has lasted: a change of leader takes some seconds and alerts nobody. For one
 * thread.
 */
final class Settling {
    private record Verdict(Health.Level level, boolean atRisk) {}

    private final Duration hold;
    private Optional<Situation> settled = Optional.empty();
    /** Since when the verdict is another than the settled one. */
    private OptionalLong differsSince = OptionalLong.empty();

    /** @param hold how long the verdict must be another one before that of now is taken */
    Settling(Duration hold) {
        this.hold = hold;
    }

    /** Returns the incidents of now with the settled verdict; empty before there is one. */
    Optional<Situation> after(Situation now, long nanos) {
        boolean same = settled.map(Settling::verdict).equals(Optional.of(verdict(now)));
        if (same) {
            differsSince = OptionalLong.empty();
        } else if (differsSince.isEmpty()) {
            differsSince = OptionalLong.of(nanos);
        }
        if (same || nanos - differsSince.getAsLong() >= hold.toNanos()) {
            settled = Optional.of(now);
            differsSince = OptionalLong.empty();
        }
        return settled.map(lasted -> new Situation(now.cluster(), lasted.health(), lasted.atRisk(), now.incidents()));
    }

    private static Verdict verdict(Situation of) {
        return new Verdict(of.health().level(), of.atRisk());
    }
}
