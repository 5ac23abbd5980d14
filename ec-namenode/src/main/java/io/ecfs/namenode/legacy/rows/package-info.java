/**
 * Rows of 6e8d76b, the last release before feature levels: read, never written. A row is written anew in its present
 * form when it changes. Removed together with {@link io.ecfs.namenode.legacy}.
 */
package io.ecfs.namenode.legacy.rows;
