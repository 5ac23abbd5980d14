package io.ecfs.message.report;

/**
 * Begin of a line in the audit log of one namenode.
 *
 * @param file identity of the file, which it keeps when it is rotated
 * @param offset in bytes; lines that begin before it are older
 */
public record AuditPlace(long file, long offset) {
    public AuditPlace {
        if (offset < 0) {
            throw new IllegalArgumentException("an offset in an audit log must not be negative: " + offset);
        }
    }
}
