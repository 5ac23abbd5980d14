/**
 * ECFS as a Hadoop file system: scheme {@code ecfs}, found by ServiceLoader, the authority a namenode or a comma list of them.
 * Hadoop's exceptions and boolean answers are made here and nowhere else. Settings of {@link io.ecfs.client.base.ClientConfig} may be given
 * as {@code fs.ecfs.client.<name>}.
 */
package io.ecfs.hadoop;
