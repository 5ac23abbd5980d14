package io.ecfs.torture;

import io.ecfs.client.EcfsClient;
import io.ecfs.message.FilePath;
import io.ecfs.message.namespace.FileStatus;
import io.ecfs.message.namespace.NamespaceReply;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** All files and directories that are below a directory, whether a call named them or not. */
public final class PathsBelow {
    private PathsBelow() {}

    /** @param page limit of one listing */
    public static List<String> of(EcfsClient client, String directory, int page) throws IOException {
        List<String> paths = new ArrayList<>();
        Deque<String> left = new ArrayDeque<>(List.of(directory));
        while (!left.isEmpty()) {
            String next = left.pop();
            String last = "";
            for (boolean more = true; more; ) {
                NamespaceReply.Listing listing = Await.result(client.list(new FilePath(next), last, page));
                for (FileStatus entry : listing.entries()) {
                    String path = entry.path().toString();
                    paths.add(path);
                    last = path.substring(path.lastIndexOf('/') + 1);
                    if (entry.directory()) {
                        left.push(path);
                    }
                }
                more = listing.more();
            }
        }
        return paths;
    }
}
