/**
 * The bed for rings on a real cluster: daemons of this process that talk over loopback, a ring made by the admin
 * client, staged volumes with journals, and one client that reads around writers. Devices are a model, or those that
 * the directories of volumes lie on ({@code DiskDirectories}, {@code DiskPlaces}).
 *
 * <pre>
 *   RequestStreams --object--> RingObjects --> EcfsClient ==loopback==> datanode
 *     depth, mix                                                    | VolumeQueue
 *                                                                   `--> StagedVolumeIo --> journal (JournalPlace)
 *                        takes a model's time  FlashDisk <-- FlashVolumeIo <--or--> CountedDisk --> directory
 * </pre>
 *
 * The state of streams and objects belongs to one thread; devices are safe for the threads of their volumes. What was
 * made for a run is removed with its cluster, also when the process is terminated.
 */
package io.ecfs.bench.bed.erails.cluster;
