/**
 * Check that a history of calls is linearizable: one namespace that executes one call after the other explains it
 * (Herlihy and Wing 1990).
 *
 * <pre>
 *   HistoryCheck ── Partitions      calls whose paths renames, concats and parents connect, apart from all others
 *        │                └── Linearizability    Wing and Gong's search with Lowe's memoization, bounded
 *        │                          └── NamespaceModel ── Namespace ── FileContent   what one call does to one state
 *        └── Shrinking              the fewest calls that are still impossible
 * </pre>
 *
 * The state of a path is absent, a directory, or a file whose content is a list of tagged stretches; a stretch of
 * unobserved length has bounds instead: at least the acknowledged bytes, at most those that its writer wrote. An
 * unknown outcome may take effect at any later time or never. A recovery that answers that the file is closed has two
 * moments: the path names the file at the first, and the file is closed at the second, wherever it lies then.
 *
 * <p>Invariant: a history that a correct namespace can produce is never rejected. A history that is undecided within
 * the bound is reported as undecided.
 */
package io.ecfs.torture.check;
