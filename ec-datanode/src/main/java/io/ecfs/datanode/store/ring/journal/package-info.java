/**
 * Staged changes of a volume as records in segments on another device: written one after the other, read at a start,
 * and freed from the oldest on. Appends come from one thread at a time, the rest from any. What must always hold: a
 * record that was synced, and all before it, are found again.
 */
package io.ecfs.datanode.store.ring.journal;
