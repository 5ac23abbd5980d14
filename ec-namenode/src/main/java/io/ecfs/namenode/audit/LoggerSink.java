package io.ecfs.namenode.audit;

import io.ecfs.message.report.AuditForm;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Passes each line, without its time, to the logger {@code io.ecfs.audit} at level INFO. */
public final class LoggerSink implements AuditSink {
    private static final Logger AUDIT = LoggerFactory.getLogger("io.ecfs.audit");

    @Override
    public void write(String lines) {
        lines.lines().forEach(line -> AUDIT.info("{}", line.substring(AuditForm.HEAD_CHARACTERS)));
    }
}
