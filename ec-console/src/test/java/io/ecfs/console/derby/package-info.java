/**
 * The file-system port of Apache Derby ({@code jdbc:derby:ecfs:/path}) on a cluster. Entry point: {@link
 * io.ecfs.console.derby.EcfsStorageFactory}, which Derby makes by its name. A file is open for update once in a process,
 * however many handles Derby has of it; the threads are Derby's. Who has the lock of a database has ended the leases of
 * all other processes on its files.
 */
package io.ecfs.console.derby;
