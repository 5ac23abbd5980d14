/**
 * Statistics of reads and loads (ec-store paper, V-A): groups that are read together, and how busy datanodes are;
 * and of writes. Soft
 * state of every namenode, from the same messages, so that a new leader knows as much as the last one. Owner thread:
 * the namenode's event thread. Invariant: its memory is bounded whatever clients report, and what left the window
 * counts no more.
 */
package io.ecfs.namenode.stats;
