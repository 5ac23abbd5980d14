package io.ecfs.console.command.admin;

import io.ecfs.console.command.option.ClusterOption;
import io.ecfs.console.view.TextTable;
import io.ecfs.layout.GroupId;
import io.ecfs.message.FilePath;
import io.ecfs.message.report.GroupFile;
import io.ecfs.wire.Await;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** From block groups to files. */
@Command(
        name = "group",
        description = "Files that have bytes in these block groups.",
        mixinStandardHelpOptions = true,
        footer = {"", "Examples:", "  ecfs admin group 17", "  ecfs admin group g17 g18 --json"})
final class GroupCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private ClusterOption cluster;

    @Parameters(paramLabel = "GROUP", arity = "1..*", description = "Numbers of groups, as 17 or g17.")
    private List<String> groups;

    @Option(names = "--json", description = "For scripts.")
    private boolean json;

    @Override
    public Integer call() throws Exception {
        List<GroupId> ids = groups.stream().map(GroupId::parse).toList();
        return cluster.show(
                spec.commandLine().getOut(),
                json,
                client -> Map.of("groups", Await.result(client.admin().groupFiles(ids))),
                (out, answer) -> {
                    TextTable table = new TextTable("GROUP", "FILE");
                    for (GroupFile file : answer.get("groups")) {
                        table.row(
                                file.group(),
                                file.path()
                                        .map(FilePath::text)
                                        .orElse(file.state().name().toLowerCase(Locale.ROOT)));
                    }
                    out.print(table);
                });
    }
}
