/**
 * Comparisons of chunks that the leader orders, to find bytes that are wrong although their checksums are right:
 * {@code ParityScrubber} has the parity of each group compared in turn and of {@code Suspects} first;
 * {@code Replacements} has a replaced chunk compared with its successor before it is deleted.
 *
 * <p>Owner thread: the namenode's event thread; one object a term. What always holds: a chunk is called wrong only when
 * the others of its group agree without it; nothing here deletes a chunk.
 */
package io.ecfs.namenode.scrub;
