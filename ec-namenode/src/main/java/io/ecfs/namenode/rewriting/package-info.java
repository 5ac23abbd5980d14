/**
 * Rewriting of extents into other groups, on the leader. {@link io.ecfs.namenode.rewriting.Rewriting} gives the jobs
 * their turns: conversions to another policy, cleaning of packs, and a walk over all files for conversion rules, for
 * packed files of other rights and for what appends left.
 *
 * <pre>
 *   ActiveConversions: FileConversion --+
 *   Cleaning: CleaningChoice -----------+-- RewriteJob: Need --&gt; RunningRewrites: a RunningRewrite each
 *   Sweep: MixedPacks, Joining ---------+   RewriteRoom: volumes         |
 *                                           RewriteOrders                |
 *     log: BeginRewrite --&gt; a datanode: Rewrite --&gt; Rewritten --&gt; log: CommitRewrite or AbortRewrite
 * </pre>
 *
 * Owner thread: the namenode's event thread. What always holds: sources are sealed and lack no chunk, and files change
 * by log entries alone, which compare what they find with what was read. A leader that takes over aborts the rewrites
 * that it finds in the facts, and goes on with the conversions.
 */
package io.ecfs.namenode.rewriting;
