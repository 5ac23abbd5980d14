/**
 * Blocks by key, as the EC-Store paper has them: put, read many at once, delete. A thin layer over
 * {@link io.ecfs.client.EcfsClient}: a block is a file of one directory, and what it can do follows from that.
 */
package io.ecfs.client.blocks;
