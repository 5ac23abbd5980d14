/**
 * Chooses the volumes of a new block group: a pure function of a snapshot of the datanodes and of random numbers, so
 * that it can be tested from seeds and replayed. What must always hold: no two volumes of a choice share a datanode.
 */
package io.ecfs.namenode.placement;
