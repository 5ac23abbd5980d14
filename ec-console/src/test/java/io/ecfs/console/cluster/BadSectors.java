package io.ecfs.console.cluster;

import io.ecfs.code.kernel.GaloisKernel;
import io.ecfs.console.local.DaemonStart;
import io.ecfs.datanode.server.DatanodeConfig;
import io.ecfs.datanode.server.DatanodeDaemon;
import io.ecfs.datanode.store.io.UnreadableFileException;
import io.ecfs.datanode.store.io.VolumeIo;
import io.ecfs.env.Environment;
import io.ecfs.error.EcfsException;
import io.ecfs.layout.Policy;
import io.ecfs.wire.WireLoops;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Starts datanodes on disks that cannot read one window of some files. Safe for use by several threads. */
final class BadSectors implements DaemonStart {
    private final Map<Path, Long> windows = new ConcurrentHashMap<>();

    /** From now on the window of the file that begins at {@code offset} cannot be read. */
    void add(Path file, long offset) {
        windows.put(file, offset);
    }

    @Override
    public DatanodeDaemon start(DatanodeConfig config, WireLoops loops, GaloisKernel kernel, Environment environment)
            throws EcfsException {
        return DatanodeDaemon.start(config, loops, kernel, environment, DatanodeDaemon.Around.disks(this::over));
    }

    private VolumeIo over(VolumeIo disk) {
        return (VolumeIo) Proxy.newProxyInstance(
                VolumeIo.class.getClassLoader(), new Class<?>[] {VolumeIo.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("read")) {
                        int bytes = ((ByteBuffer) arguments[2]).remaining();
                        requireReadable(disk, (String) arguments[0], (long) arguments[1], bytes);
                    } else if (method.getName().equals("lend")) {
                        requireReadable(disk, (String) arguments[0], (long) arguments[1], (int) arguments[2]);
                    }
                    try {
                        return method.invoke(disk, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private void requireReadable(VolumeIo disk, String file, long offset, int bytes) throws UnreadableFileException {
        Long bad = windows.get(Path.of(disk.describe(), file));
        if (bad != null && bad < offset + bytes && offset < bad + Policy.CHECKSUM_WINDOW_BYTES) {
            throw new UnreadableFileException(file, file + ": Input/output error");
        }
    }
}
