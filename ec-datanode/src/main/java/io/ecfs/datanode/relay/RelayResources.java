package io.ecfs.datanode.relay;

import io.ecfs.buffer.BufferPool;
import io.ecfs.buffer.MemoryBudget;
import io.ecfs.code.construction.Codes;
import io.ecfs.env.Clock;
import io.ecfs.env.Workers;

/**
 * Resources that the relays of a datanode share.
 *
 * @param memory of all stripes under way; {@code buffers} are lent only for those
 */
record RelayResources(Codes codes, MemoryBudget memory, BufferPool buffers, Workers workers, Clock clock) {}
