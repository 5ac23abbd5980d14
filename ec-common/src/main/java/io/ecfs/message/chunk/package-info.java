/**
 * Requests to datanodes about chunks, and their replies: open, write, put, sync, finish, read, probe. Also the facts
 * about a chunk that other conversations carry: its record, its location, its tail, changes that a datanode reports,
 * and the block token.
 */
package io.ecfs.message.chunk;
