/**
 * The ways of a stripe's cells to the datanodes of its group.
 *
 * <pre>
 *   ChunkSetWriter --StripeCell--&gt; DirectRoute --n cells--&gt; n datanodes
 *                          `-----&gt; RelayRoute  --k cells--&gt; one of them, which encodes and writes to all
 *                                       `--when that fails, ChunkLane: probe each chunk, then directly
 * </pre>
 */
package io.ecfs.client.write.route;
