package io.ecfs.code;

/** The answer to "can these chunks be computed from those?": a {@link RepairPlan}, or {@link Beyond}. */
public sealed interface RepairOutcome permits RepairPlan, Beyond {}
