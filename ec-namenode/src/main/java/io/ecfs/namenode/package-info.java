/** The namenode: a deterministic state machine over a replicated log, and the services of its leader. */
package io.ecfs.namenode;
