package io.ecfs.namenode.audit;

import java.util.Optional;

/**
 * A request as the audit log shows it.
 *
 * @param command HDFS's name of the operation where HDFS has it
 * @param source the path, datanode or list that it is about
 * @param target the second path of a rename or concat
 * @param permission owner, group and mode that it sets, {@code -} for each that it does not set; empty for none
 * @param detail further arguments as {@code key=value}; may be empty
 * @param changes whether it changes something
 */
record AuditedOperation(
        String command,
        Optional<String> source,
        Optional<String> target,
        Optional<String> permission,
        String detail,
        boolean changes) {

    static AuditedOperation read(String command, Optional<String> source) {
        return new AuditedOperation(command, source, Optional.empty(), Optional.empty(), "", false);
    }

    static AuditedOperation change(String command, String source) {
        return new AuditedOperation(command, Optional.of(source), Optional.empty(), Optional.empty(), "", true);
    }

    static AuditedOperation change(String command) {
        return new AuditedOperation(command, Optional.empty(), Optional.empty(), Optional.empty(), "", true);
    }

    AuditedOperation to(String path) {
        return new AuditedOperation(command, source, Optional.of(path), permission, detail, changes);
    }

    /** @param owner {@code -} when it is not set, as {@code group} and {@code mode} */
    AuditedOperation permission(String owner, String group, String mode) {
        return new AuditedOperation(
                command, source, target, Optional.of(owner + ":" + group + ":" + mode), detail, changes);
    }

    AuditedOperation with(String key, Object value) {
        String more = (detail.isEmpty() ? "" : detail + " ") + key + "=" + value;
        return new AuditedOperation(command, source, target, permission, more, changes);
    }

    /** As {@link #with}, when there is a value. */
    AuditedOperation with(String key, Optional<?> value) {
        return value.isPresent() ? with(key, value.get()) : this;
    }
}
