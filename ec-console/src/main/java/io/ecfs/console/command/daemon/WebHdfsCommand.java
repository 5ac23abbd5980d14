package io.ecfs.console.command.daemon;

import io.ecfs.console.command.option.ClusterOption;
import io.ecfs.console.command.option.DaemonRun;
import io.ecfs.console.command.option.ServerConfig;
import io.ecfs.message.Address;
import io.ecfs.webhdfs.WebHdfsConfig;
import io.ecfs.webhdfs.WebHdfsServer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** WebHDFS, for clients without our jar. */
@Command(
        name = "webhdfs",
        description = {
            "Serve HDFS's REST calls (webhdfs://) until Ctrl-C, for curl, Hue and clusters without ECFS's jar.",
            "It believes the user that a request names: keep it on loopback, or in a network that you trust."
        },
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Examples:",
            "  ecfs webhdfs                                     for the last 'ecfs up' here, at 127.0.0.1:9870",
            "  ecfs webhdfs --port 14000",
            "  ecfs webhdfs --config /etc/ecfs/webhdfs.yaml     docs/webhdfs.md has its keys",
            "  ecfs webhdfs -D proxyUsers=hue                   requests of user hue may act for others"
        })
public final class WebHdfsCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private ClusterOption cluster;

    @Option(names = "--config", paramLabel = "FILE", description = "The YAML file of WebHDFS.")
    private Path file;

    @Option(
            names = "--listen",
            paramLabel = "HOST:PORT",
            description = "Where clients reach it (default: 127.0.0.1:" + WebHdfsConfig.USUAL_PORT + "; port 0: any).")
    private String listen;

    @Option(names = "--port", paramLabel = "PORT", description = "The same on 127.0.0.1.")
    private Integer port;

    @Override
    public Integer call() throws Exception {
        List<String> options = new ArrayList<>();
        if (port != null) {
            options.add("listen=" + new Address("127.0.0.1", port));
        }
        if (listen != null) {
            options.add("listen=" + listen);
        }
        WebHdfsConfig config = ServerConfig.read(WebHdfsConfig.class, "ecfs webhdfs", file, cluster, options);
        WebHdfsServer server = WebHdfsServer.start(config);
        return DaemonRun.untilStopped(
                spec.commandLine().getOut(),
                "ready webhdfs http://" + server.address() + "/webhdfs/v1/",
                server::close,
                new CompletableFuture<>());
    }
}
