/**
 * What each call of a client does to files and directories (HDFS: FSNamesystem and the FSDir*Op classes, which our
 * semantics follow), one class for each family of calls, and what queries see. A call finds its inodes through
 * {@code namespace.path} and changes rows of {@code namespace.inode}.
 *
 * <pre>
 *   PENDING_DELETIONS number -> inode        unlinked roots of subtrees, oldest first
 * </pre>
 *
 * <p>Rows of the replicated state change only while a log entry is applied, on the log's thread, and a call either
 * changes everything it is to change or throws before the caller commits.
 */
package io.ecfs.namenode.namespace;
