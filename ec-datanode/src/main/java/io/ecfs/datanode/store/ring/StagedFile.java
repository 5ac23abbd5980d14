package io.ecfs.datanode.store.ring;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A file with changes that its device does not have: its bytes are the first {@code base} of the device's file, staged
 * extents over them, and zeros between. Guarded by the lock of its {@link Overlay}.
 */
final class StagedFile {
    /** Lsn of the record that introduced it: files are drained in this order. */
    final long id;
    /** Files of one name are drained together, whatever their endings. */
    final String group;

    final Extents extents = new Extents();
    private Optional<String> name;
    private Optional<String> device;
    private long base;
    private long length;
    private long lastLsn;
    private long lastNamed;
    private boolean cut;
    private boolean lost;
    private long version;

    private StagedFile(long id, String path, Optional<String> device, long base) {
        this.id = id;
        this.group = groupOf(path);
        this.name = Optional.of(path);
        this.device = device;
        this.base = base;
        this.length = base;
        this.lastLsn = id;
        this.lastNamed = id;
    }

    /** A file that is not on the device. */
    static StagedFile created(long id, String path) {
        return new StagedFile(id, path, Optional.empty(), 0);
    }

    /** A file of the device. */
    static StagedFile opened(long id, String path, long length) {
        return new StagedFile(id, path, Optional.of(path), length);
    }

    private static String groupOf(String path) {
        String last = path.substring(path.lastIndexOf('/') + 1);
        int ending = last.lastIndexOf('.');
        return ending <= 0 ? last : last.substring(0, ending);
    }

    @Override
    public String toString() {
        return "file " + id + " named " + name.orElse("-") + ", on the device " + device.orElse("-");
    }

    /** Its path; empty once it is deleted. */
    Optional<String> name() {
        return name;
    }

    /** Where the device has it, or a part of it; empty when it has not. */
    Optional<String> device() {
        return device;
    }

    long length() {
        return length;
    }

    /** Last record about it. */
    long lastLsn() {
        return lastLsn;
    }

    /** Last record about its name. */
    long lastNamed() {
        return lastNamed;
    }

    /** Changes when bytes that were found for a reader may no longer be there. */
    long version() {
        return version;
    }

    /** Length to which the device's file must be cut before bytes are written; -1: it need not be. */
    long cutTo() {
        return cut ? base : -1;
    }

    /** The device's file has that length. */
    void cutDone() {
        cut = false;
    }

    void write(long lsn, Extent extent) {
        lastLsn = lsn;
        extents.put(extent);
        length = Math.max(length, extent.end());
    }

    void truncate(long lsn, long to) {
        lastLsn = lsn;
        if (to >= length) {
            return;
        }
        extents.cut(to);
        base = Math.min(base, to);
        length = to;
        redo();
    }

    /** What the device's file has of it counts no more: it is cut, and all extents are written again. */
    void redo() {
        cut = true;
        extents.rewrite();
    }

    void named(long lsn, Optional<String> path) {
        lastLsn = lsn;
        lastNamed = lsn;
        name = path;
    }

    /** Its staged bytes cannot be read. */
    void lose() {
        name = Optional.empty();
        lost = true;
        version++;
    }

    boolean isLost() {
        return lost;
    }

    /** The device has it there. */
    void at(Optional<String> path) {
        device = path;
        version++;
    }

    /** It is no longer staged. */
    void gone() {
        version++;
    }

    /** Bytes for a reader: of the device, of the journal, or zeros; in order and without gaps. */
    List<Part> parts(long from, int bytes) {
        List<Part> parts = new ArrayList<>();
        long to = Math.min(length, from + bytes);
        long at = from;
        for (Extent extent : from < to ? extents.in(from, to) : List.<Extent>of()) {
            gap(parts, at, extent.offset());
            parts.add(new Part(extent.offset(), extent.bytes(), Optional.of(extent), false));
            at = extent.end();
        }
        gap(parts, at, to);
        return parts;
    }

    private void gap(List<Part> parts, long from, long to) {
        long based = Math.min(to, Math.max(from, base));
        if (from < based) {
            parts.add(new Part(from, Math.toIntExact(based - from), Optional.empty(), true));
        }
        if (based < to) {
            parts.add(new Part(based, Math.toIntExact(to - based), Optional.empty(), false));
        }
    }

    /**
     * Bytes that lie together.
     *
     * @param staged in the journal; otherwise on the device or zeros
     */
    record Part(long offset, int bytes, Optional<Extent> staged, boolean onDevice) {}
}
