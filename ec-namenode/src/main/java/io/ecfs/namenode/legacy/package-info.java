/**
 * Reads the bytes that 6e8d76b, the last release before feature levels, left in logs and rows; never written. Removed
 * with the first release that requires a level above 1, when no cluster can have such bytes any more. Names of classes
 * and numbers of the wire matter here, and here alone.
 */
package io.ecfs.namenode.legacy;
