/**
 * Log entries as bytes: {@link io.ecfs.namenode.entry.CommandCodec} puts each {@link io.ecfs.namenode.command.Command}
 * and {@link io.ecfs.namenode.command.CommandResult} into one envelope of kind, level and length,
 * {@link io.ecfs.namenode.entry.LogKinds} has the numbers. What always holds: what this release cannot read whole is
 * never taken for anything else.
 */
package io.ecfs.namenode.entry;
