/** Sources of groups on a real machine: its operating system, and a file. Called by workers, which may block. */
package io.ecfs.namenode.user.os;
