package io.ecfs.fault.inject;

import java.io.IOException;
import java.util.List;

/**
 * Several undos as one, the last first. Each is run, whatever happens to the others; the first failure is thrown then.
 *
 * @param undos may grow until the first run
 */
record UndoAll(List<Undo> undos) implements Undo {
    @Override
    public void run() throws IOException, InterruptedException {
        IOException failure = null;
        for (int i = undos.size() - 1; i >= 0; i--) {
            try {
                undos.get(i).run();
            } catch (IOException | RuntimeException e) {
                if (failure == null) {
                    failure = new IOException(e.getMessage(), e);
                } else {
                    failure.addSuppressed(e);
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    /** Undoes what was injected before a failure, which gets what fails meanwhile as suppressed. */
    void after(Exception failure) throws InterruptedException {
        try {
            run();
        } catch (IOException e) {
            failure.addSuppressed(e);
        }
    }
}
