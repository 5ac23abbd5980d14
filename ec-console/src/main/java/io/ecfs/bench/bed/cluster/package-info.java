/**
 * The test bed of EC-Store (section VI) on a real cluster: daemons of this process that talk over loopback, one
 * {@code EcfsClient}, the namenode's statistics and mover. Only the disks are a model, so that stragglers come from
 * load and not from the few processors that all of this shares.
 *
 * <pre>
 *   Requests --blocks--> ClosedLoop --readAll--> EcfsClient ==loopback==> datanode
 *                            |                                               | VolumeQueue
 *                        BedResult                                           |--> DeviceThreads: a visit begins --.
 *                                                                            `--> DeviceVolumeIo --> directory    |
 *                                                                    takes the device's time `--> ModelledDevice <'
 * </pre>
 *
 * A volume has one thread, so the queue in front of the model is the datanode's own. Blocks are loaded, and everything
 * but the bytes of chunks is read and written, without the model. The loop's state belongs to one thread of its own; a
 * device's to its volume's thread.
 */
package io.ecfs.bench.bed.cluster;
