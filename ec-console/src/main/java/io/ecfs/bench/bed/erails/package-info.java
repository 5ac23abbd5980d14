/**
 * A bed for rings of volumes that take turns in writing (eRails, sections 4 and 7), in virtual time: what reads and
 * writes get when devices' reads suffer from their writes, with roles and without.
 *
 * <pre>
 *   RequestStreams --object--> RingClient --chunk--> RingVolume --> FlashStation (a FlashDevice)
 *     depth, mix                 | ReadChoice: the     journal, states and drain order
 *                                | client's planner    of the datanode, as a model
 *                                | Station: cores, coding as measured
 *   RingBed: turns of the real Ring, skewed clocks, adaptive writers
 * </pre>
 *
 * Real code: the ring's arithmetic, the read planner, the leader's choice of writers, the codec's times. Modelled:
 * devices, journals, what the datanode does, clocks; there is no network. Rates are in bytes a second, MB are MiB as in
 * the paper. One thread; a plan gives the same outcome each time.
 */
package io.ecfs.bench.bed.erails;
