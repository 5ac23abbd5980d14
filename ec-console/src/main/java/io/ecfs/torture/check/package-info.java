/**
 * Whether a history of calls could have come from one namespace that does one call after the other (linearizability;
 * Herlihy and Wing 1990).
 *
 * <pre>
 *   HistoryCheck ── Partitions      calls whose paths renames, concats and parents connect, apart from all others
 *        │                └── Linearizability    Wing and Gong's search with Lowe's memoization, bounded
 *        │                          └── NamespaceModel ── Namespace ── FileContent   what one call does to one state
 *        └── Shrinking              the fewest calls that are still impossible
 * </pre>
 *
 * The state of a path is absent, a directory, or a file whose content is a list of tagged stretches; a stretch whose
 * length nobody has seen yet has bounds instead: at least what was acknowledged, at most what its writer wrote. An
 * unknown outcome may take effect at any later time or never.
 *
 * <p>What must always hold: a history that a correct namespace can make is never called impossible. What is undecided
 * within the bound is reported as that.
 */
package io.ecfs.torture.check;
