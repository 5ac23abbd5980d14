/** {@code ecfs admin}: what operators ask of a cluster and change in it. */
package io.ecfs.console.command.admin;
