/**
 * A namenode in numbers, for monitoring. The names and labels are an interface: docs/deploy.md lists them, and a test
 * compares the two.
 *
 * <p>Owner thread: gauges are computed on the namenode's event thread and are immutable.
 */
package io.ecfs.namenode.metrics;
