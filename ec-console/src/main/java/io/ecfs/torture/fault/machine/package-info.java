/**
 * Faults of machines: power, clocks and links. What was written and not synced may be gone afterwards. Only where
 * daemons and clients run in this process. One thread.
 */
package io.ecfs.torture.fault.machine;
