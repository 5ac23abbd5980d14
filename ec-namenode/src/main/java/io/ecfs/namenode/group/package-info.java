/**
 * The facts about block groups: which file a group belongs to, how long it is, where each of its chunks lies; which
 * chunks lie on a volume; which chunks are garbage. Rows of the replicated state: they change only while a log entry is
 * applied, on the log's thread. At every moment a chunk (group, index, generation, volume) is in at most one of
 * "placed" and "garbage", and the index by volume has exactly the placed ones.
 */
package io.ecfs.namenode.group;
