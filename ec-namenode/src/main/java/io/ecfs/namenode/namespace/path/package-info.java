/**
 * From a path to its inodes and back, and what a caller may do with them: permission bits, ACLs, sticky directories,
 * superusers. Reads rows and changes none.
 */
package io.ecfs.namenode.namespace.path;
