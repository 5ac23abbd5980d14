package io.ecfs.console.command.option;

import io.ecfs.message.namespace.NamespaceRequest.ControlConversion.Control;
import picocli.CommandLine.Option;

/** What is to become of one conversion. */
public final class ConversionControl {
    @Option(names = "--pause", paramLabel = "JOB", description = "Pause one; what is being rewritten is finished.")
    private Long pause;

    @Option(names = "--resume", paramLabel = "JOB", description = "Resume a paused one.")
    private Long resume;

    @Option(names = "--cancel", paramLabel = "JOB", description = "End one; what is converted stays so.")
    private Long cancel;

    public Control control() {
        return pause != null ? Control.PAUSE : resume != null ? Control.RESUME : Control.CANCEL;
    }

    public long job() {
        return pause != null ? pause : resume != null ? resume : cancel;
    }
}
