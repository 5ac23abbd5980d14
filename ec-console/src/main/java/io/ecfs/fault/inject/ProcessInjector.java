package io.ecfs.fault.inject;

import io.ecfs.console.local.Child;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.fault.profile.FaultKind;
import io.ecfs.fault.profile.FaultStep;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Signals: SIGKILL, SIGTERM, SIGSTOP. */
final class ProcessInjector implements Injector {
    private final LabSite site;

    ProcessInjector(LabSite site) {
        this.site = site;
    }

    @Override
    public Undo inject(FaultStep step, Hurt hurt) throws IOException, InterruptedException {
        List<Undo> undos = new ArrayList<>();
        UndoAll all = new UndoAll(undos);
        try {
            for (String daemon : hurt.daemons()) {
                end(step.fault(), daemon);
                undos.add(() -> undo(step.fault(), daemon));
            }
        } catch (IOException | RuntimeException e) {
            all.after(e);
            throw e;
        }
        return all;
    }

    private void end(FaultKind fault, String daemon) throws IOException, InterruptedException {
        switch (fault) {
            case KILL -> site.kill(daemon);
            case STOP -> site.stop(daemon);
            case FREEZE ->
                Child.suspend(site.process(daemon)
                        .orElseThrow(() -> new EcfsException(
                                ErrorCode.INVALID_ARGUMENT, daemon + " has ended and cannot be frozen")));
            default -> throw new IllegalArgumentException(fault + " is no fault of a process");
        }
    }

    private void undo(FaultKind fault, String daemon) throws IOException, InterruptedException {
        if (fault == FaultKind.FREEZE) {
            Optional<ProcessHandle> process = site.process(daemon);
            if (process.isPresent()) {
                Child.resume(process.get());
            }
        } else {
            site.start(daemon);
        }
    }
}
