/**
 * Dispatch of operations: a table from the records of a sealed type to their handlers. A family of operations (files,
 * extents, tree, attributes, cluster) declares its handlers beside their code. {@link HandlerTable#requireComplete}
 * compares the tables of all families with the sealed type.
 * <p>Immutable once built; safe for use by any thread.
 */
package io.ecfs.namenode.operation;
