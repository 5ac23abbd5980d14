/**
 * The Raft adapter of {@link io.ecfs.namenode.log.MetadataLog}, on Apache Ratis; nothing else imports Ratis.
 *
 * <pre>
 *   propose --> Proposals --(entries of many commands)--> Submission --> Ratis --(committed)--> StateAdapter
 *                                                                                               `--> ReplicatedState
 *   read ----> Reads --(local read, then one round for all that wait)--> Ratis lease + LeaderProof (of a majority)
 *   members -> MemberView;  leader -> Leaderships
 *   checkpoints and their way to late namenodes: {@code log.ratis.checkpoint}; appenders: {@code log.ratis.appender}
 * </pre>
 *
 * Invariants: every log index passes {@code StateAdapter} once, in order, without a gap; the log is purged only
 * behind a checkpoint that lies on disk; answers to reads leave only after a majority of the namenodes acknowledged
 * this leader's term by a message that was built after the read ran.
 */
package io.ecfs.namenode.log.ratis;
