package io.ecfs.console.command.daemon;

import io.ecfs.console.command.option.ClusterOption;
import io.ecfs.console.command.option.DaemonRun;
import io.ecfs.console.command.option.ServerConfig;
import io.ecfs.console.local.ConsoleDaemon;
import io.ecfs.console.local.LastDaemon;
import io.ecfs.console.web.WebConsole;
import io.ecfs.console.web.settings.Account;
import io.ecfs.console.web.settings.ConsoleConfig;
import io.ecfs.console.web.settings.PasswordHash;
import io.ecfs.console.web.settings.Role;
import io.ecfs.env.Clock;
import io.ecfs.env.real.RealEnvironment;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The operators' console in a browser. */
@Command(
        name = "console",
        description = {
            "Serve the operators' console to browsers until Ctrl-C: load, recovery, migrations, files, and actions.",
            "Without accounts in FILE an operator's password for one time is made and printed."
        },
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Examples:",
            "  ecfs console                                     for the last 'ecfs up' here",
            "  ecfs console --config /etc/ecfs/console.yaml     docs/console.md has its keys",
            "  ecfs console --config … -D listen=127.0.0.1:9781 -D replaces a value of the file",
            "  ecfs console passwd alice --role operator        reads a password, prints the lines for FILE"
        })
public final class ConsoleCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private ClusterOption cluster;

    @Option(names = "--config", paramLabel = "FILE", description = "The console's YAML file.")
    private Path file;

    @Option(
            names = "--listen",
            paramLabel = "HOST:PORT",
            description = "Where browsers reach it (default: 127.0.0.1:" + ConsoleConfig.USUAL_PORT + "; port 0: any).")
    private String listen;

    @Option(
            names = "--ends-with",
            paramLabel = "DIR",
            description = "End a minute after the last daemon that 'ecfs up' started in DIR.")
    private Path endsWith;

    @Override
    public Integer call() throws Exception {
        List<String> options = listen == null ? List.of() : List.of("listen=" + listen);
        ConsoleConfig config = ServerConfig.read(ConsoleConfig.class, "ecfs console", file, cluster, options);
        String login = "";
        if (config.accounts().isEmpty()) {
            String password = PasswordHash.generate();
            String hash = PasswordHash.of(password, PasswordHash.GENERATED).toString();
            config = config.withAccount("operator", new Account(Role.OPERATOR.text(), hash));
            login = "  user operator  password " + password;
        }
        Clock clock = RealEnvironment.open().clock();
        WebConsole console = WebConsole.start(config, clock);
        return DaemonRun.untilStopped(
                spec.commandLine().getOut(),
                ConsoleDaemon.READY + console.url() + login,
                console::close,
                endsWith == null ? new CompletableFuture<>() : LastDaemon.gone(endsWith, clock));
    }

    @Command(
            description = "Read a password from standard input and print the account for the configuration file.",
            mixinStandardHelpOptions = true,
            footer = {"", "Examples:", "  ecfs console passwd alice --role viewer"})
    int passwd(
            @Parameters(paramLabel = "USER") String user,
            @Option(names = "--role", paramLabel = "ROLE", defaultValue = "viewer", description = "viewer or operator.")
                    String role)
            throws IOException {
        Account account = new Account(
                role, PasswordHash.of(password(), PasswordHash.CHOSEN).toString());
        spec.commandLine()
                .getOut()
                .println("accounts:\n  " + ServerConfig.quoted(user) + ":\n    role: " + account.role()
                        + "\n    password: \"" + account.password() + "\"");
        spec.commandLine().getOut().flush();
        return 0;
    }

    /** From release 22 on there is a console also when a file or pipe is read; it then reads that. */
    @SuppressWarnings("SystemConsoleNull")
    private static String password() throws IOException {
        char[] typed = System.console() == null ? null : System.console().readPassword("password: ");
        String password = typed == null
                ? new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)).readLine()
                : new String(typed);
        if (password == null || password.isBlank()) {
            throw new IllegalArgumentException("no password was given");
        }
        return password;
    }
}
