/**
 * The health of datanodes as one client measures it: {@link io.ecfs.client.health.DatanodeHealth} receives what reads
 * and writes experience and answers which chunks are late, which datanodes are slow, suspect or excluded, and which
 * chunks are bad.
 *
 * <p>Owner thread: the client's; the counts of {@code DatanodeHealth} may be read by any thread.
 *
 * <p>Invariants: every table has a bound; suspicion and exclusion expire by themselves; slow datanodes are probed by
 * reads whose replies are not awaited; hedged requests are a bounded share of all requests.
 */
package io.ecfs.client.health;
