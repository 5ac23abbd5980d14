package io.ecfs.console.view;

import io.ecfs.message.report.IncidentCause;
import java.util.Locale;

/** Severity of an alert, in ascending order. */
public enum Severity {
    /** Work in progress, and what was wrong and is not any more. */
    INFO,
    WARNING,
    CRITICAL;

    /** {@code info}, {@code warning}, {@code critical}. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Severity of an open incident. The report does not say which incident took the last spare chunk of a group, so
     * each loss is critical while there is such a group.
     *
     * @param atRisk as {@link Health#atRisk}
     */
    public static Severity of(IncidentCause cause, boolean atRisk) {
        if (cause.planned()) {
            return INFO;
        }
        return switch (cause.kind()) {
            case GROUPS_DISPUTED -> CRITICAL;
            case NAMENODE_DIVERGED, RING_CLOCK_OFF -> WARNING;
            default -> atRisk ? CRITICAL : WARNING;
        };
    }

    /** Severity of a verdict on the cluster. */
    public static Severity of(Health.Level level) {
        return switch (level) {
            case OK -> INFO;
            case WARNING -> WARNING;
            case CRITICAL -> CRITICAL;
        };
    }
}
