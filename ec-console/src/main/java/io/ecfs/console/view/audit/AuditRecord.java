package io.ecfs.console.view.audit;

import io.ecfs.message.CallerContext;
import io.ecfs.message.report.AuditForm;
import java.util.Map;
import java.util.Optional;

/**
 * A line of a namenode's audit log.
 *
 * @param at UTC, {@code 2026-11-26T12:00:00.000Z}
 * @param namenode whose log has it
 * @param person who acted: the account of the console, the person behind sudo, or else {@code user}
 * @param user that the namenode checked
 * @param via {@code console}, {@code cli} or what else the caller's context begins with
 * @param from address of the client
 * @param action the operation, as HDFS calls it
 * @param target its path or datanode; empty for none
 * @param to the second path of a rename or concat; empty for none
 * @param result {@code OK} or an error code
 * @param detail further arguments
 */
public record AuditRecord(
        String at,
        String namenode,
        String person,
        String user,
        String via,
        String from,
        String action,
        String target,
        String to,
        String result,
        String detail) {
    /** In HDFS's form of a user, and of one for whom a proxy user acts. */
    private static final String AUTHENTICATION = " (auth:";

    /** Empty for what is no such line. */
    public static Optional<AuditRecord> parse(String namenode, String line) {
        return AuditForm.fields(line).map(fields -> of(namenode, AuditForm.iso(line), fields));
    }

    private static AuditRecord of(String namenode, String at, Map<String, String> fields) {
        String ugi = fields.getOrDefault("ugi", "");
        String user = ugi.substring(0, Math.max(0, ugi.indexOf(AUTHENTICATION)));
        CallerContext context = new CallerContext(fields.getOrDefault("callerContext", ""));
        return new AuditRecord(
                at,
                namenode,
                context.person().orElse(user),
                user,
                context.via(),
                fields.getOrDefault("ip", "").replaceFirst("^/", ""),
                fields.getOrDefault("cmd", ""),
                fields.getOrDefault("src", ""),
                fields.getOrDefault("dst", ""),
                fields.getOrDefault("result", ""),
                fields.getOrDefault("detail", ""));
    }

    /** The person whom the program names, and the user that the namenode checked, where they differ. */
    public String who() {
        return person.equals(user) ? user : person + " as " + user;
    }
}
