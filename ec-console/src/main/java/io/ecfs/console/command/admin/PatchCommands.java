package io.ecfs.console.command.admin;

import io.ecfs.client.EcfsClient;
import io.ecfs.client.update.UpdatableFile;
import io.ecfs.client.update.UpdateOptions;
import io.ecfs.console.command.option.ClusterOption;
import io.ecfs.console.view.PatchedFile;
import io.ecfs.message.FilePath;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Files that are updated in place: what is over their extents, and how it becomes extents again. */
final class PatchCommands {
    private PatchCommands() {}

    /** What both commands ask about. */
    private abstract static class OfFile implements Callable<Integer> {
        @Spec
        private CommandSpec spec;

        @Mixin
        private ClusterOption cluster;

        @Parameters(paramLabel = "PATH")
        private String path;

        @Option(names = "--json", description = "For scripts.")
        private boolean json;

        /** Does what is to be done with the file before it is shown. */
        abstract void prepare(EcfsClient client, FilePath file) throws IOException;

        @Override
        public Integer call() throws Exception {
            FilePath file = new FilePath(path);
            return cluster.show(
                    spec.commandLine().getOut(),
                    json,
                    client -> {
                        prepare(client, file);
                        return PatchedFile.of(client, file);
                    },
                    (out, patched) -> patched.print(out));
        }
    }

    @Command(
            name = "patches",
            description = "Patch groups of a file that is updated in place: bytes, and how many of them are live.",
            mixinStandardHelpOptions = true,
            footer = {
                "",
                "Examples:",
                "  ecfs admin patches /images/vm7.raw",
                "  ecfs admin patches /images/vm7.raw --json | jq .patches"
            })
    static final class Patches extends OfFile {
        @Override
        void prepare(EcfsClient client, FilePath file) {}
    }

    @Command(
            name = "compact",
            description = {
                "Write what was updated in place once more, in order, so that the file is an ordinary one again: it can"
                        + " be appended to, and is read as fast as one that was never updated.",
                "The file must not be open for writing."
            },
            mixinStandardHelpOptions = true,
            footer = {"", "Examples:", "  ecfs admin compact /images/vm7.raw"})
    static final class Compact extends OfFile {
        @Override
        void prepare(EcfsClient client, FilePath path) throws IOException {
            UpdatableFile file = Await.result(client.update(path, UpdateOptions.defaults()));
            Await.result(file.compactAndClose());
        }
    }
}
