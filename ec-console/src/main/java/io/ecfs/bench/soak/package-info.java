/**
 * {@code ecfs soak}: load and faults together for hours on a cluster of its own. A {@link io.ecfs.bench.soak.Soak} ends
 * with a failure when a byte is lost or a process passes its bound of memory. One thread drives it; a crew makes the
 * load.
 */
package io.ecfs.bench.soak;
