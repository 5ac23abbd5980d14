/**
 * What the chunks of a group that is still open give: how far it goes, and the bytes of the stripe that is not full
 * yet, from tail records. Asked by recovery (namenode), by whoever completes a chunk (datanode) and by readers
 * (client), who must come to the same answer.
 */
package io.ecfs.tail;
