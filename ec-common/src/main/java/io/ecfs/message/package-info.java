/**
 * Messages as records: one sealed interface for each conversation, so that the receiver's switch is exhaustive. A
 * conversation is named after the side that asks and has a package of its own; this package has what all of them share.
 *
 * <pre>
 *   client    -- namespace.NamespaceRequest / NamespaceReply --&gt; namenode   names, leases, groups, policies, reports
 *   datanode  -- datanode.DatanodeReport   / DatanodeReply  --&gt; namenode   registration, heartbeats, reports; orders
 *   anybody   -- chunk.ChunkRequest        / ChunkReply     --&gt; datanode   the bytes of chunks
 *   anybody   -- Metering                                   --&gt; any daemon bytes and messages by peer
 *   namenode  -- snapshot.SnapshotRequest  / SnapshotReply  --&gt; namenode   checkpoint for a follower far behind
 * </pre>
 *
 * Values check themselves in their constructors, so a message that was decoded is well formed. Wire numbers are in
 * {@code io.ecfs.wire.codec.WireNumbers} and never change meaning.
 */
package io.ecfs.message;
