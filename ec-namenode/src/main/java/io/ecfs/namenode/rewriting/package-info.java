/**
 * Rewriting of extents into other groups, on the leader: conversions of files to another policy, asked for by
 * operators. {@link io.ecfs.namenode.rewriting.Rewriting} has the conversions and runs rewrites for them.
 *
 * <pre>
 *   ConvertFiles --&gt; FileConversion: TreeCursor --files--&gt; RewriteBatches --pieces--&gt; GroupRewriting
 *                                                                                              |
 *     log: BeginRewrite --&gt; a datanode: Rewrite --&gt; Rewritten --&gt; log: CommitRewrite or AbortRewrite
 * </pre>
 *
 * Owner thread: the namenode's event thread. What always holds: sources are sealed and lack no chunk, and files change
 * by log entries alone, which compare what they find with what was read. A conversion lives as long as its leader's
 * term; a leader that takes over aborts the rewrites that it finds in the facts.
 */
package io.ecfs.namenode.rewriting;
