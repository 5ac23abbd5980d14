/**
 * Files and directories: inodes, names, permissions, leases, and what each call of a client does to them (HDFS:
 * FSNamesystem and the FSDir*Op classes, which our semantics follow). Rows of the replicated state: they change only
 * while a log entry is applied, on the log's thread, and a call either changes everything it is to change or throws
 * before the caller commits.
 *
 * <pre>
 *   ENTRIES  (directory, name) -> inode      every linked inode but the root has exactly one entry, equal to the
 *                                            inode's (parent, name)
 *   INODES   inode -> parent, name, attributes, and the directory's policy or the file's extents
 *   LEASES   inode -> holder, open group     exactly the open files that are linked or wait for their purge
 *   PENDING_DELETIONS number -> inode        unlinked roots of subtrees, oldest first
 * </pre>
 */
package io.ecfs.namenode.namespace;
