package io.ecfs.datanode.server;

import io.ecfs.env.FileNumbers;
import io.ecfs.error.EcfsException;
import io.ecfs.layout.ChunkId;
import io.ecfs.message.chunk.BlockToken;
import io.ecfs.message.chunk.BlockToken.Right;
import io.ecfs.message.chunk.ChunkReply;
import io.ecfs.message.chunk.ChunkRequest;
import io.ecfs.token.BlockTokenVerifier;
import io.ecfs.token.TokenUse;
import io.ecfs.wire.file.FileSocket;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Opens the two files of a published chunk for readers of this machine who have a token for it and no way into the
 * volume's directory. They are open for reading alone, on the volume's own threads.
 */
final class OpenFileService implements FileSocket.Source {
    private final Volumes volumes;
    private final BlockTokenVerifier tokens;
    private final FileNumbers numbers;

    OpenFileService(Volumes volumes, BlockTokenVerifier tokens, FileNumbers numbers) {
        this.volumes = volumes;
        this.tokens = tokens;
        this.numbers = numbers;
    }

    @Override
    public CompletionStage<List<Integer>> open(ChunkRequest.FindLocally asked) {
        ChunkId chunk = asked.chunk();
        try {
            // The socket has no greeting: who holds the token has shown it over a connection with one before.
            String holder =
                    asked.token().scope().map(BlockToken.Scope::principal).orElse("");
            tokens.require(asked.token(), TokenUse.whole(chunk, Right.READ, holder));
            ServedVolume target = volumes.require(asked.volume());
            return target.queue().submit(chunk, () -> {
                target.volume().requireStamp(chunk, asked.token().stamp());
                ChunkReply.LocalFiles files = target.volume().local(chunk);
                int data = numbers.openToRead(Path.of(files.dataFile()));
                boolean both = false;
                try {
                    List<Integer> open = List.of(data, numbers.openToRead(Path.of(files.checksumFile())));
                    both = true;
                    return open;
                } finally {
                    if (!both) {
                        numbers.adopt(data).close();
                    }
                }
            });
        } catch (EcfsException e) {
            return CompletableFuture.failedFuture(e);
        }
    }
}
