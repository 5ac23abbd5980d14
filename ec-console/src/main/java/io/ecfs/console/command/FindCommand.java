package io.ecfs.console.command;

import io.ecfs.client.EcfsClient;
import io.ecfs.console.command.option.ClusterOption;
import io.ecfs.message.FilePath;
import io.ecfs.message.namespace.FileStatus;
import io.ecfs.message.namespace.NamespaceReply;
import io.ecfs.message.namespace.NamespaceRequest.FindNames;
import io.ecfs.wire.Await;
import java.io.PrintWriter;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Search by name below a directory, page by page: matches are printed as they are found. */
@Command(
        name = "find",
        description = {
            "Files and directories whose names match a pattern, as find -name of POSIX; one path a line.",
            "The namenode examines a bounded number of names per call. Directories that you may not list are skipped,"
                    + " and then the command ends with 1."
        },
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Examples:",
            "  ecfs find /data -name '*.parquet'",
            "  ecfs find / -iname '*report*' --first 20",
        })
final class FindCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private ClusterOption cluster;

    @Parameters(paramLabel = "PATH", arity = "0..1", defaultValue = "/")
    private String path;

    @Option(
            names = {"-name", "--name"},
            paramLabel = "GLOB",
            description = "Pattern of the whole name: *, ?, [a-z], [!a-z], and \\ before a character.")
    private String name;

    @Option(
            names = {"-iname", "--iname"},
            paramLabel = "GLOB",
            description = "As -name, upper and lower case alike.")
    private String anyCaseName;

    @Option(
            names = "--first",
            paramLabel = "COUNT",
            defaultValue = "9223372036854775807",
            description = "End after this many matches.")
    private long most;

    @Override
    public Integer call() throws Exception {
        if ((name != null && anyCaseName != null) || most < 1) {
            throw new IllegalArgumentException("use one of -name and -iname, and --first from 1");
        }
        String pattern = name != null ? name : anyCaseName != null ? anyCaseName : "*";
        FilePath top = new FilePath(path);
        PrintWriter out = spec.commandLine().getOut();
        long denied = 0;
        try (EcfsClient client = cluster.connect()) {
            Optional<FilePath> after = Optional.empty();
            do {
                NamespaceReply.Found page =
                        Await.result(client.find(top, pattern, anyCaseName != null, after, FindNames.MAX_PAGE));
                for (FileStatus entry : page.entries()) {
                    out.println(entry.path());
                    if (--most == 0) {
                        out.flush();
                        return 0;
                    }
                }
                out.flush();
                denied += page.denied();
                after = page.next();
            } while (after.isPresent());
        }
        if (denied > 0) {
            spec.commandLine().getErr().println("ecfs: " + denied + " directories were skipped: access denied");
            spec.commandLine().getErr().flush();
        }
        return denied > 0 ? 1 : 0;
    }
}
