/**
 * Block tokens: the namenode signs what a client may do with a group, datanodes verify it without asking. Relay tokens:
 * it signs where a datanode may write for a client. Keys roll; both sides get them from the namenode's log. Signing and
 * verifying share one definition of what is signed.
 */
package io.ecfs.token;
