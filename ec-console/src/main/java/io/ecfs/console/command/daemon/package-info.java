/**
 * Commands that start processes that serve: one namenode, datanode or web console, or a whole cluster on this machine;
 * and what is done to a namenode's directory while it is stopped.
 */
package io.ecfs.console.command.daemon;
