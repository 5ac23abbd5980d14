/**
 * Bytes of groups that are written to another group, for the leader: to another policy, or together with others.
 *
 * <pre>
 *   k data chunks of each source --ReadChunk--&gt; GroupRewrite --Stripe--&gt; ChunkSetWriter --&gt; n new chunks
 *        `------------------ReadChecksums--&gt; CopyCheck &lt;--ReadChecksums------------------------'
 * </pre>
 *
 * {@link io.ecfs.datanode.rewrite.Rewriter} takes the orders. Threads: the state of a rewrite belongs to the control
 * plane's; stripes are filled and encoded on the rewriter's workers. What always holds: bytes are verified against
 * their checksums before they are written again, a read that fails fails the rewrite, and a group is reported only with
 * all its chunks on disk, whose data have the checksums of their sources.
 */
package io.ecfs.datanode.rewrite;
