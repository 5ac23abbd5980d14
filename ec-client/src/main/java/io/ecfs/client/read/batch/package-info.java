/**
 * Reads of many ranges as one request: {@link io.ecfs.client.read.batch.JointReads} cuts them into spans,
 * {@link io.ecfs.client.read.batch.BatchPlanner} chooses the chunks of up to 64 spans together, and
 * {@link io.ecfs.client.read.batch.BatchReader} reads them in waves that share messages.
 *
 * <p>Threads: batches are planned and begun on the client's owner thread; results complete on any.
 *
 * <p>Invariants: each range has one result, and fails alone; no piece writes to a range's memory after its result; one
 * wave waits for memory at a time.
 */
package io.ecfs.client.read.batch;
