/**
 * Dispatch of operations: a table from the records of a sealed type to their handlers. A family of operations (files,
 * extents, tree, attributes, cluster) declares its handlers beside their code; the table of all families is compared
 * with the sealed type when its class is loaded, so an operation without a handler stops the start and fails a test
 * that names it.
 *
 * <p>Immutable after it was built; safe for use by any thread.
 */
package io.ecfs.namenode.operation;
