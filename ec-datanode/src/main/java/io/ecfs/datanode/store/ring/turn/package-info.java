/**
 * Turns of the staged volumes of a datanode, from the clocks of their rings. Owner thread: the control plane's. A wrong
 * clock costs latency and nothing else.
 */
package io.ecfs.datanode.store.ring.turn;
