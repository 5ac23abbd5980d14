package io.ecfs.console.command;

import io.ecfs.code.kernel.GaloisKernel;
import io.ecfs.code.kernel.KernelProvider;
import io.ecfs.code.kernel.Kernels;
import io.ecfs.message.FeatureLevel;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Build, JDK, and the codec kernels: which one runs, and of each other one whether it could. */
@Command(
        name = "version",
        description = "Build, JDK, and the codec kernels: the one in use, the others, and why one cannot run here.",
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Examples:",
            "  ecfs version",
            "  ECFS_JAVA_OPTS=-Decfs.kernel=java ecfs version    # force a kernel: native, isal, java, auto"
        })
final class VersionCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        for (String line : new BuildVersion().getVersion()) {
            spec.commandLine().getOut().println(line);
        }
        spec.commandLine()
                .getOut()
                .println("feature level " + FeatureLevel.RELEASE + " (ecfs admin report shows which one is in force)");
        GaloisKernel used = Kernels.best();
        Kernels.all().forEach((name, loading) -> spec.commandLine().getOut().println(line(name, loading, used)));
        return 0;
    }

    private static String line(String name, KernelProvider.Loading loading, GaloisKernel used) {
        String text;
        if (loading instanceof KernelProvider.Loading.Unavailable unavailable) {
            text = "unavailable: " + unavailable.reason();
        } else if (name.equals(used.name())) {
            text = "in use: " + used.description();
        } else {
            text = "available: "
                    + ((KernelProvider.Loading.Loaded) loading).kernel().description();
        }
        return "codec kernel " + name + " " + text;
    }
}
