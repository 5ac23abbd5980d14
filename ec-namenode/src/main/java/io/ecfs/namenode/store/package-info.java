/**
 * An ordered key-value store with atomic transactions that read their own writes: all that the namespace needs from a
 * disk. {@code store.rocks} holds it in RocksDB, {@link io.ecfs.namenode.store.MemoryStore} in sorted maps for
 * simulation and tests; one contract test runs against both.
 */
package io.ecfs.namenode.store;
