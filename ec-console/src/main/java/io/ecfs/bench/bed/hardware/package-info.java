/**
 * Hardware in virtual time for the test beds of writes, faults and rings: service stations with a queue (processors,
 * disks), links with a rate, and the two ways in which links make a network. A disk's times are those of
 * {@link io.ecfs.bench.bed.Device}. One thread, that of the virtual time; everything follows from the order of calls.
 *
 * <pre>
 *   Machine = cpu: Station, disk: Station          Star:   sender's NIC out --latency--> receiver's NIC in
 *                                                  Torus:  NIC out, a link for each hop (shared), NIC in
 * </pre>
 */
package io.ecfs.bench.bed.hardware;
