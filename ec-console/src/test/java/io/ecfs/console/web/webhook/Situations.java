package io.ecfs.console.web.webhook;

import io.ecfs.console.view.Health;
import io.ecfs.console.view.Health.Level;
import io.ecfs.console.view.Health.Reason;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.report.Incident;
import io.ecfs.message.report.IncidentCause;
import java.util.List;
import java.util.Optional;

/** Situations of a cluster for tests. */
final class Situations {
    static final String CLUSTER = "c1";

    private Situations() {}

    static Situation of(Level level, boolean atRisk, Incident... incidents) {
        return of(CLUSTER, level, atRisk, incidents);
    }

    static Situation of(String cluster, Level level, boolean atRisk, Incident... incidents) {
        List<Reason> reasons =
                level == Level.OK ? List.of() : List.of(new Reason(level, "something is wrong", "overview"));
        return new Situation(cluster, new Health(level, reasons), atRisk, List.of(incidents));
    }

    static Incident open(long id) {
        return Incident.opened(id, IncidentCause.dead(new DatanodeId("dn" + id)), 1000, 2000);
    }

    static Incident planned(long id) {
        return Incident.opened(id, IncidentCause.leaving(new DatanodeId("dn" + id)), 1000, 2000);
    }

    static Incident healed(long id) {
        Incident open = open(id);
        return new Incident(
                id,
                open.cause(),
                open.detectedMillis(),
                open.deadMillis(),
                Optional.of(2500L),
                Optional.of(3000L),
                0,
                0,
                0,
                0,
                0,
                0,
                true);
    }
}
