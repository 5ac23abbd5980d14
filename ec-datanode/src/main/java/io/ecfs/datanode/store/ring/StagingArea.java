package io.ecfs.datanode.store.ring;

import io.ecfs.datanode.store.io.VolumeIo;
import java.io.IOException;
import java.util.HexFormat;

/**
 * Directory of a volume for files that have no name yet on the device, one path a file. Callers of the volume do not
 * see it. Thread-safe.
 */
final class StagingArea {
    static final String DIRECTORY = "staged";
    private static final String LOST = "lost-";

    private final VolumeIo device;
    private final DeviceNames names;
    private volatile boolean made;

    StagingArea(VolumeIo device, DeviceNames names) {
        this.device = device;
        this.names = names;
    }

    static String pathOf(StagedFile file) {
        return DIRECTORY + "/" + HexFormat.of().toHexDigits(file.id);
    }

    /** Where a file stays whose staged bytes are lost: for people. */
    static String lostPathOf(StagedFile file) {
        return DIRECTORY + "/" + LOST + HexFormat.of().toHexDigits(file.id);
    }

    /** As {@link #lostPathOf(StagedFile)} for a file of which only its name on the device is known. */
    static String lostPathOf(String path) {
        return DIRECTORY + "/" + LOST + path.replace('/', '-');
    }

    /** Returns whether a name in the directory is that of a file that waits for its own. */
    static boolean isPending(String name) {
        return name.length() == 16 && name.chars().allMatch(HexFormat::isHexDigit);
    }

    static boolean has(String path) {
        return path.startsWith(DIRECTORY + "/");
    }

    /** On disk when it returns. */
    void make() throws IOException {
        if (!made) {
            device.createDirectory(DIRECTORY);
            names.sync("");
            made = true;
        }
    }
}
