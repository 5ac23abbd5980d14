/**
 * What 6e8d76b, the last release before feature levels, left in logs and rows: read, never written. It goes when no
 * cluster can have such bytes any more, that is with the first release that requires a level above 1. Names of classes
 * and numbers of the wire matter here, and here alone.
 */
package io.ecfs.namenode.legacy;
