package io.ecfs.datanode.store.disk;

import io.ecfs.buffer.FileSlice;
import io.ecfs.datanode.store.io.ForwardingVolumeIo;
import io.ecfs.datanode.store.io.UnreadableFileException;
import io.ecfs.datanode.store.io.VolumeFullException;
import io.ecfs.datanode.store.io.VolumeIo;
import io.ecfs.env.real.Poller;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A door to a disk with the faults of a {@link FaultFile}: what a failing device does, as its user sees it. */
public final class FaultyVolumeIo extends ForwardingVolumeIo {
    private static final Duration POLL_INTERVAL = Duration.ofMillis(20);

    private final Path volume;
    private final FaultFile faults;

    /** @param volume directory of the disk, as the fault file names it */
    public FaultyVolumeIo(VolumeIo disk, Path volume, FaultFile faults) {
        super(disk);
        this.volume = volume;
        this.faults = faults;
    }

    @Override
    public int read(String file, long offset, ByteBuffer into) throws IOException {
        passRead(file);
        return super.read(file, offset, into);
    }

    @Override
    public Optional<FileSlice> lend(String file, long offset, int bytes) throws IOException {
        passRead(file);
        return super.lend(file, offset, bytes);
    }

    /** No file is shown: who reads it would not meet the faults. */
    @Override
    public Optional<LocalFile> local(String file) {
        return Optional.empty();
    }

    @Override
    public void write(String file, long offset, ByteBuffer from) throws IOException {
        passWrite(file);
        super.write(file, offset, from);
    }

    @Override
    public void create(String file) throws IOException {
        passWrite(file);
        super.create(file);
    }

    @Override
    public void sync(String file) throws IOException {
        pass();
        super.sync(file);
    }

    @Override
    public void syncAll(List<String> files) throws IOException {
        pass();
        super.syncAll(files);
    }

    private void passRead(String file) throws IOException {
        if (pass().filter(fault -> fault.kind() == FaultFile.Kind.READ_ERRORS).isPresent()) {
            throw new UnreadableFileException(
                    file, describe() + ": cannot read " + file, new IOException("Input/output error (injected)"));
        }
    }

    private void passWrite(String file) throws IOException {
        if (pass().filter(fault -> fault.kind() == FaultFile.Kind.FULL).isPresent()) {
            throw new VolumeFullException(describe() + ": no space for " + file + " (injected)");
        }
    }

    /** Waits as long as the device makes its users wait; returns the fault. */
    private Optional<FaultFile.Fault> pass() throws InterruptedIOException {
        Optional<FaultFile.Fault> fault = faults.of(volume);
        if (fault.filter(f -> f.kind() == FaultFile.Kind.SLOW).isPresent()) {
            pause(Duration.ofMillis(fault.get().millis()));
        }
        while (fault.filter(f -> f.kind() == FaultFile.Kind.HANG).isPresent()) {
            pause(POLL_INTERVAL);
            fault = faults.of(volume);
        }
        return fault;
    }

    private static void pause(Duration time) throws InterruptedIOException {
        try {
            Poller.every(time).pause();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while a faulty disk was awaited");
        }
    }
}
