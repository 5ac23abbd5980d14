/**
 * Choice of the chunks to read. A planner gets the wanted chunks, those at hand and the standing of each, and returns
 * the chunks to fetch and the repair to run. It does no I/O and is stateless, so any thread may use it.
 */
package io.ecfs.client.plan;
