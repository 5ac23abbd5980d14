/**
 * Commands of the replicated log and their outcomes. A {@link io.ecfs.namenode.command.Command}
 * carries everything that a namenode may not decide for itself while it applies: time, the caller, placement, keys. An
 * {@link io.ecfs.namenode.command.CommandResult} is the outcome, the same bytes on every namenode.
 */
package io.ecfs.namenode.command;
