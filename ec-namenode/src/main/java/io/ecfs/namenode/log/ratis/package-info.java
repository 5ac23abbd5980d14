/**
 * The Raft adapter of {@link io.ecfs.namenode.log.MetadataLog}, on Apache Ratis; nothing else imports Ratis.
 *
 * <pre>
 *   propose --&gt; Proposals --(entries of many commands)--&gt; Submission --&gt; Ratis --(committed)--&gt; StateAdapter --&gt; ReplicatedState
 *   read ----&gt; Reads --(local read, then one round for all that wait)--&gt; Ratis lease + LeaderProof (majority acknowledged)
 *   members -&gt; MemberView;  who leads -&gt; Leaderships
 *   checkpoints: StateAdapter --&gt; Checkpoints --&gt; SnapshotServer ==wire==&gt; SnapshotDownload --&gt; StateAdapter of a late namenode
 * </pre>
 *
 * Invariants: every log index passes {@code StateAdapter} once, in order, without a gap; the log is purged only
 * behind a checkpoint that lies on disk; answers to reads leave only after a majority of the namenodes acknowledged
 * this leader's term by a message that was built after the read ran.
 */
package io.ecfs.namenode.log.ratis;
