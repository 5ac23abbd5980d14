/**
 * The namenode's own directory on a disk: whose it is, and that one process at a time has it; and backups of the state.
 */
package io.ecfs.namenode.store.disk;
