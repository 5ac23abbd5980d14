/**
 * Faults by real means, and how each is undone.
 *
 * <pre>
 *   FaultStep, victims --> Injectors.of(kind) --> Injector.inject --> Undo --+
 *                                                                            v
 *   Ctrl-C, failure, end of the fault ------------------------------> UndoStack: last injected, first undone
 * </pre>
 *
 * <p>What a fault needs of the machine is known before anything is done ({@link io.ecfs.fault.inject.Requirements}).
 * Always true: what was injected is undone exactly once, on every way out. An {@code UndoStack} is for any thread,
 * injectors are for the experiment's.
 */
package io.ecfs.fault.inject;
