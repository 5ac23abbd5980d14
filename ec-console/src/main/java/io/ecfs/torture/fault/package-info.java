/**
 * Faults of a cluster under torture, within the limits that it tolerates: a {@link io.ecfs.torture.fault.Fault} hurts
 * the daemons and clients of a {@link io.ecfs.torture.fault.TortureSite}, whose {@link io.ecfs.torture.fault.Shape}
 * defines what can be done to them. The faults lie below by what they hurt ({@code process}, {@code machine},
 * {@code disk}, or nothing: {@code request}); {@code driver} chooses them. One thread.
 */
package io.ecfs.torture.fault;
