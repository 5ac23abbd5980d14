/**
 * The leader's services of rings: it moves their positions by its monotonic clock, gives the colour of a failed volume
 * to a spare, lets emptied volumes go, and chooses the writers by demand. What is decided becomes a fact by a log
 * entry; positions are soft state. Owner thread: the namenode's event thread.
 */
package io.ecfs.namenode.ring;
