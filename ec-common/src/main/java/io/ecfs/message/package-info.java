/**
 * Everything that travels, as records: one sealed interface for each conversation, so that whoever answers is made to answer all
 * of it. A conversation is named for who asks.
 *
 * <pre>
 *   client    -- NamespaceRequest / NamespaceReply  --&gt; namenode     names, leases, groups, policies, reports for operators
 *   datanode  -- DatanodeReport   / DatanodeReply   --&gt; namenode     registration, heartbeats, what lies on the volumes; orders come back
 *   anybody   -- ChunkRequest     / ChunkReply      --&gt; datanode     the bytes of chunks
 *   anybody   -- Metering                           --&gt; any daemon   how much it exchanged with whom; the wire itself answers
 *   namenode  -- SnapshotRequest  / SnapshotReply   --&gt; namenode     a follower that was away too long fetches a checkpoint
 * </pre>
 *
 * Values check themselves when they are made, so a message that was decoded is well formed. Wire numbers are kept in
 * {@code io.ecfs.wire.WireNumbers} and never change meaning.
 */
package io.ecfs.message;
