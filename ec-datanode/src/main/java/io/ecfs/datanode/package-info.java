/** The datanode: volumes of chunks, served over the wire protocol. */
package io.ecfs.datanode;
