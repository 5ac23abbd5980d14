package io.ecfs.client.read;

import io.ecfs.message.FilePath;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Opens files for a request for several ranges. */
@FunctionalInterface
public interface FileOpener {
    /** @return each file as soon as it is open, or the reason why it cannot be opened */
    Map<FilePath, CompletableFuture<OpenFile>> open(Collection<FilePath> paths);
}
