/**
 * Transfer of a checkpoint between namenodes: a follower whose log ends before the leader's begins fetches one (Raft:
 * InstallSnapshot).
 */
package io.ecfs.message.snapshot;
