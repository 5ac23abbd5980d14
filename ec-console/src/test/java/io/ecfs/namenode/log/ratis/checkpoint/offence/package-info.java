/** Offenders against the architecture, each kept for the one rule that must find it. */
package io.ecfs.namenode.log.ratis.checkpoint.offence;
