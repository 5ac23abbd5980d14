package io.ecfs.namenode.audit;

import io.ecfs.layout.InodeId;
import java.util.Optional;

/**
 * A request as the audit log shows it.
 *
 * @param command HDFS's name of the operation where HDFS has it
 * @param source the path, datanode or list that it is about
 * @param file the file that it is about, where the request has no path: it is found when the line is written
 * @param target the second path of a rename or concat
 * @param permission owner, group and mode that it sets, {@code -} for each that it does not set; empty for none
 * @param detail further arguments as {@code key=value}; may be empty
 * @param changes whether it changes something
 */
record AuditedOperation(
        String command,
        Optional<String> source,
        Optional<InodeId> file,
        Optional<String> target,
        Optional<String> permission,
        String detail,
        boolean changes) {
    /** Longer texts are cut: refused callers could fill the queue's memory and the disk with them. */
    static final int MOST_CHARACTERS = 4096;

    AuditedOperation {
        source = source.map(AuditedOperation::cut);
        target = target.map(AuditedOperation::cut);
        detail = cut(detail);
    }

    private static String cut(String text) {
        return text.length() <= MOST_CHARACTERS ? text : text.substring(0, MOST_CHARACTERS) + "...";
    }

    static AuditedOperation read(String command, Optional<String> source) {
        return new AuditedOperation(command, source, Optional.empty(), Optional.empty(), Optional.empty(), "", false);
    }

    static AuditedOperation change(String command, String source) {
        return new AuditedOperation(
                command, Optional.of(source), Optional.empty(), Optional.empty(), Optional.empty(), "", true);
    }

    static AuditedOperation change(String command) {
        return new AuditedOperation(
                command, Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), "", true);
    }

    static AuditedOperation about(String command, InodeId file, boolean changes) {
        return new AuditedOperation(
                command, Optional.empty(), Optional.of(file), Optional.empty(), Optional.empty(), "", changes);
    }

    AuditedOperation to(String path) {
        return new AuditedOperation(command, source, file, Optional.of(path), permission, detail, changes);
    }

    /** @param owner {@code -} when it is not set, as {@code group} and {@code mode} */
    AuditedOperation permission(String owner, String group, String mode) {
        return new AuditedOperation(
                command, source, file, target, Optional.of(owner + ":" + group + ":" + mode), detail, changes);
    }

    AuditedOperation with(String key, Object value) {
        String more = (detail.isEmpty() ? "" : detail + " ") + key + "=" + value;
        return new AuditedOperation(command, source, file, target, permission, more, changes);
    }

    /** As {@link #with}, when there is a value. */
    AuditedOperation with(String key, Optional<?> value) {
        return value.isPresent() ? with(key, value.get()) : this;
    }
}
