/**
 * Inodes and what hangs on them, as rows of the replicated state: names, attributes, ACLs, extended attributes, leases
 * and quotas. Each class reads and writes the rows of its table and knows no calls and no callers.
 *
 * <pre>
 *   ENTRIES  (directory, name) -> inode      every linked inode but the root has exactly one entry, equal to the
 *                                            inode's (parent, name)
 *   INODES   inode -> parent, name, attributes, and the directory's policy or the file's extents
 *   LEASES   inode -> holder, open group     exactly the open files that are linked or wait for their purge
 * </pre>
 *
 * <p>Rows change only within the transaction of a log entry, on the log's thread; views are read by any thread.
 */
package io.ecfs.namenode.namespace.inode;
