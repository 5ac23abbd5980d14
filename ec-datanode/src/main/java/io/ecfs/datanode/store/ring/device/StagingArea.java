package io.ecfs.datanode.store.ring.device;

import io.ecfs.datanode.store.io.VolumeIo;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.OptionalLong;

/**
 * Directory of a volume for the files of the staged volume itself: those that have no name yet on the device, one path
 * a file, those whose staged bytes are lost, and what it notes there for the next start. Callers of the volume do not
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
        return path(nameOf(file));
    }

    /** As {@link #pathOf}, within the directory. */
    public static String nameOf(long file) {
        return HexFormat.of().toHexDigits(file);
    }

    static String path(String name) {
        return DIRECTORY + "/" + name;
    }

    /** Where a file stays whose staged bytes are lost: for people. */
    public static String lostPathOf(long file) {
        return path(LOST + nameOf(file));
    }

    /** As {@link #lostPathOf(long)} for a file of which only its name on the device is known. */
    public static String lostPathOf(String path) {
        return path(LOST + path.replace('/', '-'));
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

    /** Length of the file of this name. */
    OptionalLong length(String name) throws IOException {
        return device.length(path(name));
    }

    /** All bytes of the file of this name; none when there is none. */
    ByteBuffer get(String name) throws IOException {
        ByteBuffer all = ByteBuffer.allocate(Math.toIntExact(length(name).orElse(0)));
        if (all.hasRemaining()) {
            device.read(path(name), 0, all);
        }
        return all.flip();
    }

    /** Writes to the file of this name, which is made if there is none; on disk when it returns. */
    void put(String name, long offset, ByteBuffer bytes) throws IOException {
        make();
        if (length(name).isEmpty()) {
            device.create(path(name));
        }
        device.write(path(name), offset, bytes);
        device.sync(path(name));
        names.sync(DIRECTORY);
    }

    /** Removes the file of this name, if there is one; so too. */
    void remove(String name) throws IOException {
        if (length(name).isPresent()) {
            device.delete(path(name));
            names.sync(DIRECTORY);
        }
    }
}
