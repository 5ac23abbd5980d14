/**
 * ECFS as a Hadoop file system: scheme {@code ecfs}, found by ServiceLoader, the authority a logical name of a cluster,
 * or its namenodes as a comma list. Settings of {@link io.ecfs.client.base.ClientConfig} may be given as {@code
 * fs.ecfs.client.<name>}. {@link io.ecfs.hadoop.EcfsContext} is the same for {@code FileContext}.
 *
 * <p>Works with Hadoop 3.3.4 and newer: {@link io.ecfs.hadoop.NewerHadoop} chooses what a newer Hadoop allows, and only
 * the classes that it chooses refer to newer classes.
 *
 * <p>Threads: a file system is used by as many as like; a stream by one at a time, but for positional reads. No future
 * that a job gets completes on a thread that the client needs. What always holds: Hadoop's exceptions and boolean
 * answers are made here and nowhere else, and what the contract does not let us do is refused and never half done.
 */
package io.ecfs.hadoop;
