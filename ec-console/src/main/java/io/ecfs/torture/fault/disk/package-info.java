/**
 * Faults of disks: bits and sectors that fail, syncs that fail, no space, drives that are not mounted, files that
 * change places, directories that are lost or put back. One thread.
 */
package io.ecfs.torture.fault.disk;
