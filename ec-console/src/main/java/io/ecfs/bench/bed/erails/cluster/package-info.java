/**
 * The bed for rings on a real cluster: daemons of this process that talk over loopback, a ring made by the admin
 * client, staged volumes with journals, and one client that reads around writers. Only the devices are a model.
 *
 * <pre>
 *   RequestStreams --object--> RingObjects --> EcfsClient ==loopback==> datanode
 *     depth, mix                                                    | VolumeQueue
 *                                                                   `--> StagedVolumeIo --> journal (JournalPlace)
 *                                  takes the device's time  FlashDisk <-- FlashVolumeIo --> directory
 * </pre>
 *
 * The state of streams and objects belongs to one thread; devices are safe for the threads of their volumes.
 */
package io.ecfs.bench.bed.erails.cluster;
