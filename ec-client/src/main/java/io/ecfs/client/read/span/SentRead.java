package io.ecfs.client.read.span;

import io.ecfs.transfer.ChunkBytes;
import java.util.concurrent.CompletableFuture;

/**
 * A read of chunk bytes that was asked for.
 *
 * @param call the bytes
 * @param volumeBytes bytes that its volume was asked for in the same message until then, these included: it reads all
 *     of them before it answers
 */
record SentRead(CompletableFuture<ChunkBytes> call, int volumeBytes) {}
