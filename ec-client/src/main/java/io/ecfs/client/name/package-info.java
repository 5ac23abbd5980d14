/**
 * Logical names of clusters, as in {@code ecfs://prod/} (compare HDFS's {@code dfs.nameservices}): where their
 * namenodes are listed, and in which order the places are searched.
 *
 * <p>{@link io.ecfs.client.name.ClusterNames} is the entry. A name is resolved once, when a client is made; the client
 * learns later members from the namenodes. Threads: any; a call blocks for the time of file and DNS lookups, which is
 * bounded. What always holds: a file that cannot be read ends the search, so that no later place answers for it.
 */
package io.ecfs.client.name;
