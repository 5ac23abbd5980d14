/**
 * From a path to its inodes and back, and what a caller may do with them: permission bits, ACLs, sticky directories,
 * superusers. Reads of one view, by any thread: no row changes.
 */
package io.ecfs.namenode.namespace.path;
