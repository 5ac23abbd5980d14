/**
 * Reads of single spans: {@link io.ecfs.client.read.span.SpanFetch} reserves memory and retries with fresh locations,
 * {@link io.ecfs.client.read.span.SpanReads} starts one attempt, which requests chunks and decodes around those that
 * fail or are late.
 *
 * <p>Threads: the client's owner thread owns the state of every span that is read; workers decode.
 *
 * <p>Invariants: only verified bytes are used; replies own their buffers until the result takes them, so that a late
 * reply can never write to the caller's memory; every buffer and every reservation is released once, on success,
 * failure and cancel; no thread hop and no timer a chunk beyond the request itself.
 */
package io.ecfs.client.read.span;
