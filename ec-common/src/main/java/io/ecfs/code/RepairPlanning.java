package io.ecfs.code;

/** The answer to "can these chunks be computed from those?": a {@link RepairPlan}, or {@link Unrecoverable}. */
public sealed interface RepairPlanning permits RepairPlan, Unrecoverable {}
