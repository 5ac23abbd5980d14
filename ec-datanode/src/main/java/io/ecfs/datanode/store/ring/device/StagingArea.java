package io.ecfs.datanode.store.ring.device;

import io.ecfs.datanode.store.io.VolumeIo;
import java.io.IOException;
import java.util.HexFormat;

/**
 * Directory of a volume for files that have no name yet on the device, one path a file. Callers of the volume do not
 * see it. Thread-safe.
 */
public final class StagingArea {
    public static final String DIRECTORY = "staged";
    private static final String LOST = "lost-";

    private final VolumeIo device;
    private final DeviceNames names;
    private volatile boolean made;

    public StagingArea(VolumeIo device, DeviceNames names) {
        this.device = device;
        this.names = names;
    }

    /** @param file its lsn in the journal */
    public static String pathOf(long file) {
        return DIRECTORY + "/" + HexFormat.of().toHexDigits(file);
    }

    /** Where a file stays whose staged bytes are lost: for people. */
    public static String lostPathOf(long file) {
        return DIRECTORY + "/" + LOST + HexFormat.of().toHexDigits(file);
    }

    /** As {@link #lostPathOf(long)} for a file of which only its name on the device is known. */
    public static String lostPathOf(String path) {
        return DIRECTORY + "/" + LOST + path.replace('/', '-');
    }

    /** Returns whether a name in the directory is that of a file that waits for its own. */
    public static boolean isPending(String name) {
        return name.length() == 16 && name.chars().allMatch(HexFormat::isHexDigit);
    }

    public static boolean has(String path) {
        return path.startsWith(DIRECTORY + "/");
    }

    /** On disk when it returns. */
    public void make() throws IOException {
        if (!made) {
            device.createDirectory(DIRECTORY);
            names.sync("");
            made = true;
        }
    }
}
