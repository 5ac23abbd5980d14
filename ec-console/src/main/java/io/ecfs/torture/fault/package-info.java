/**
 * What is done to a cluster under torture, within what it promises to survive: a {@link io.ecfs.torture.fault.Fault}
 * hurts the daemons and clients of a {@link io.ecfs.torture.fault.TortureSite}, whose {@link
 * io.ecfs.torture.fault.Shape} says what can be done to them. The faults lie below by what is hurt ({@code process},
 * {@code machine}, {@code disk}, or nothing: {@code request}); {@code driver} chooses them. One thread.
 */
package io.ecfs.torture.fault;
