/**
 * Which chunks to read. A planner sees what is wanted, what is at hand and how each chunk stands, and answers with the
 * chunks to fetch and the repair to run. It does no I/O and keeps nothing between questions, so any thread may ask.
 */
package io.ecfs.client.plan;
