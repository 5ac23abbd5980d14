/**
 * {@link io.ecfs.datanode.store.io.VolumeIo} on a directory of a real file system: the only code of the datanode that
 * opens files.
 */
package io.ecfs.datanode.store.disk;
