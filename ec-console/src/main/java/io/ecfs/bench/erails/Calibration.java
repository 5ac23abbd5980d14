package io.ecfs.bench.erails;

import io.ecfs.bench.bed.Device;
import io.ecfs.bench.bed.erails.FlashDevice;
import io.ecfs.bench.bed.erails.cluster.DiskDirectories;
import io.ecfs.bench.device.DeviceBench;
import io.ecfs.bench.report.Cells;
import io.ecfs.error.EcfsException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;

/**
 * What each device of a bed gives, measured before anything else uses it, in requests as large as chunks.
 *
 * @param chunkBytes of a request
 */
record Calibration(List<Measured> devices, long chunkBytes) {
    private static final int BLOCK = 4096;
    private static final double SECONDS = 1;
    private static final double QUICK_SECONDS = 0.3;
    private static final long BYTES = 256L << 20;
    private static final long QUICK_BYTES = 64L << 20;

    Calibration {
        devices = List.copyOf(devices);
    }

    /** @param volumes on the device */
    private record Measured(List<Path> volumes, FlashDevice device) {}

    /**
     * Measures the devices, one after the other.
     *
     * @throws EcfsException for memory, and for a file system without O_DIRECT
     */
    static Calibration of(DiskDirectories directories, long chunkBytes, ErailsSetting setting, Consumer<String> doing)
            throws IOException {
        int request = Math.toIntExact((chunkBytes + BLOCK - 1) / BLOCK * BLOCK);
        List<Measured> devices = new ArrayList<>();
        for (List<Path> volumes : directories.devices()) {
            Path one = volumes.get(0);
            DeviceBench bench = new DeviceBench(
                    one,
                    List.of(request, 2 * request),
                    setting.quick() ? QUICK_BYTES : BYTES,
                    setting.quick() ? QUICK_SECONDS : SECONDS,
                    setting.seed());
            try {
                devices.add(new Measured(
                        volumes,
                        bench.run(part -> doing.accept("calibrates " + one + ": " + part))
                                .fitted()));
            } catch (IOException | RuntimeException e) {
                throw e;
            } catch (Exception e) {
                throw EcfsException.of(e);
            }
        }
        return new Calibration(devices, chunkBytes);
    }

    /** Volumes on one device share it. */
    CalibratedMedia slowest() {
        Device reads = devices.stream()
                .map(one -> one.device.reads().slower(one.volumes.size()))
                .max(Comparator.comparingLong(this::nanos))
                .orElseThrow();
        Device writes = devices.stream()
                .map(one -> one.device.writes().slower(one.volumes.size()))
                .max(Comparator.comparingLong(this::nanos))
                .orElseThrow();
        return new CalibratedMedia(devices.size() == 1 ? "one device" : devices.size() + " devices", reads, writes);
    }

    private long nanos(Device device) {
        return device.overheadNanos() + device.readNanos(chunkBytes);
    }

    /** What one device gave, in a line for each. */
    List<String> lines() {
        return devices.stream()
                .map(one -> "Calibrated " + one.volumes.get(0)
                        + (one.volumes.size() == 1 ? "" : " and " + (one.volumes.size() - 1) + " more") + ": reads "
                        + Cells.number(one.device.readRate(chunkBytes, false) / FigureRow.MEBI)
                        + " MB/s, writes "
                        + Cells.number(one.device.writeRate(chunkBytes) / FigureRow.MEBI)
                        + " MB/s in requests of " + (chunkBytes >> 10) + " KiB; reads take "
                        + Cells.ratio(one.device.interference(chunkBytes)) + " as long beside writes.")
                .toList();
    }
}
