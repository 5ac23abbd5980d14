/**
 * Groups of users, as this namenode knows them and never as a peer claims. A request waits for them on its way in,
 * before it comes to the event thread; a log entry carries what the leader found.
 */
package io.ecfs.namenode.user;
