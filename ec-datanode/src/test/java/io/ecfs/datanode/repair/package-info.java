/** Rebuilding chunks from sources that answer from memory, onto a volume in memory. */
package io.ecfs.datanode.repair;
