/**
 * Checkpoints of a namenode on its disk, and their way to another namenode.
 *
 * <pre>
 *   StateAdapter --&gt; Checkpoints --&gt; SnapshotServer ==wire==&gt; SnapshotDownload --&gt; a late namenode
 * </pre>
 *
 * {@link io.ecfs.namenode.log.ratis.checkpoint.SnapshotSource} is what a download asks. What always holds: a checkpoint
 * has its final name only when all of it is on disk, and one that is being read is not deleted.
 */
package io.ecfs.namenode.log.ratis.checkpoint;
