/**
 * Who users are: in which groups a user is, as this namenode knows it and never as a peer says. A request waits for
 * that on its way in, before it comes to the event thread; what a log entry carries of it is what the leader found.
 */
package io.ecfs.namenode.user;
