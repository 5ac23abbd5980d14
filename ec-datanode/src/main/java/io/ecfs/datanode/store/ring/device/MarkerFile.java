package io.ecfs.datanode.store.ring.device;

import io.ecfs.datanode.store.io.VolumeIo;
import io.ecfs.datanode.store.ring.journal.JournalMarker;
import io.ecfs.datanode.store.ring.journal.JournalMissingException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.OptionalLong;

/** A file of the volume with the id of the journal that it needs, as long as that may have what the volume has not. */
public final class MarkerFile implements JournalMarker {
    private static final String NAME = "journal";

    /** Its path on the volume. */
    public static final String PATH = StagingArea.path(NAME);

    private final StagingArea area;
    private final boolean outlivesPower;

    /** @param outlivesPower whether the journal does; one that does not is never needed */
    public MarkerFile(StagingArea area, boolean outlivesPower) {
        this.area = area;
        this.outlivesPower = outlivesPower;
    }

    /**
     * Compares what the volume needs with what is there.
     *
     * @param there id of the journal; empty when it has no segment
     * @throws JournalMissingException when the volume must not begin
     */
    public static void require(VolumeIo device, OptionalLong there, String where) throws IOException {
        OptionalLong length = device.length(PATH);
        if (length.isEmpty() || length.getAsLong() < Long.BYTES) { // one that was torn was followed by no change
            return;
        }
        ByteBuffer marker = ByteBuffer.allocate(Long.BYTES);
        device.read(PATH, 0, marker);
        long needed = marker.getLong(0);
        if (!there.equals(OptionalLong.of(needed))) {
            throw new JournalMissingException(device.describe() + " needs the journal " + hex(needed) + ", and " + where
                    + (there.isPresent() ? " is " + hex(there.getAsLong()) : " has none"));
        }
    }

    private static String hex(long journal) {
        return HexFormat.of().toHexDigits(journal);
    }

    @Override
    public void needs(long journal) throws IOException {
        if (outlivesPower) {
            area.put(NAME, 0, ByteBuffer.allocate(Long.BYTES).putLong(journal).flip());
        }
    }

    @Override
    public void needsNone() throws IOException {
        area.remove(NAME);
    }
}
