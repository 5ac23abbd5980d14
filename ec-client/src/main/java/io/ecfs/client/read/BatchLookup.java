package io.ecfs.client.read;

import io.ecfs.message.FilePath;
import io.ecfs.message.namespace.NamespaceReply;
import io.ecfs.message.namespace.NamespaceRequest.LocateAll;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Lookup of many files by as few calls as possible; each file has a result of its own. */
public final class BatchLookup {
    private final Lookup namenode;
    private final Map<FilePath, CompletableFuture<NamespaceReply.Located>> answers = new LinkedHashMap<>();

    private BatchLookup(Lookup namenode) {
        this.namenode = namenode;
    }

    /** @return for each file the reply of {@code Locate} of its first {@code length} bytes */
    public static Map<FilePath, CompletableFuture<NamespaceReply.Located>> locate(
            Collection<FilePath> paths, long length, Lookup namenode) {
        BatchLookup opens = new BatchLookup(namenode);
        paths.forEach(path -> opens.answers.put(path, new CompletableFuture<>()));
        List<FilePath> all = List.copyOf(opens.answers.keySet());
        for (int from = 0; from < all.size(); from += LocateAll.MOST_FILES) {
            opens.ask(all.subList(from, Math.min(all.size(), from + LocateAll.MOST_FILES)), length);
        }
        return opens.answers;
    }

    private void ask(List<FilePath> paths, long length) {
        namenode.locateAll(new LocateAll(paths, length)).whenComplete((located, failure) -> {
            if (failure != null) {
                paths.forEach(path -> answers.get(path).completeExceptionally(failure));
                return;
            }
            int answered = Math.min(paths.size(), located.answers().size());
            if (answered < paths.size()) {
                ask(paths.subList(answered, paths.size()), length);
            }
            for (int i = 0; i < answered; i++) {
                take(answers.get(paths.get(i)), located.answers().get(i));
            }
        });
    }

    private static void take(
            CompletableFuture<NamespaceReply.Located> result, NamespaceReply.LocatedAll.Answer answer) {
        answer.located().ifPresent(result::complete);
        answer.failure().ifPresent(failure -> result.completeExceptionally(failure.toException()));
    }
}
