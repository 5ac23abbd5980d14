package io.ecfs.hadoop;

import io.ecfs.client.EcfsClient;
import java.io.IOException;
import org.apache.hadoop.fs.CommonPathCapabilities;
import org.apache.hadoop.fs.LeaseRecoverable;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.SafeMode;
import org.apache.hadoop.fs.SafeModeAction;

/** {@link EcfsFileSystem} with Hadoop's interfaces for leases and safe mode, which Hadoop has from 3.3.6 on. */
public sealed class RecoverableFileSystem extends EcfsFileSystem implements LeaseRecoverable, SafeMode
        permits BulkFileSystem {
    /** Constructor for Hadoop, which calls {@link #initialize} next. */
    public RecoverableFileSystem() {}

    /** A file system over a client, which it closes with itself. */
    RecoverableFileSystem(EcfsClient client) {
        super(client);
    }

    /**
     * Sets safe mode and returns the state after it. A starting namenode cannot skip its own safe mode, so forcing an
     * exit equals leaving.
     */
    @Override
    public boolean setSafeMode(SafeModeAction action, boolean isChecked) throws IOException {
        Path root = new Path("/");
        if (action != SafeModeAction.GET) {
            HadoopFailures.await(client.setSafeMode(action == SafeModeAction.ENTER), root);
        }
        return HadoopFailures.await(client.safeMode(), root).on();
    }

    @Override
    public boolean hasPathCapability(Path path, String capability) throws IOException {
        return super.hasPathCapability(path, capability)
                || CommonPathCapabilities.LEASE_RECOVERABLE.equalsIgnoreCase(capability);
    }
}
