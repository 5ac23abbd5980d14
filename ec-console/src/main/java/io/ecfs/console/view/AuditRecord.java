package io.ecfs.console.view;

import java.util.HashMap;
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
    private static final String HEAD = " INFO ecfs.audit: ";
    private static final String CONSOLE = "console:";
    /** In HDFS's form of a user, and of one for whom a proxy user acts. */
    private static final String AUTHENTICATION = " (auth:";

    private static final String SUDO = "cli sudo:";
    /** Characters of {@code 2026-11-26 12:00:00,000}. */
    private static final int TIME = 23;

    /** Empty for what is no such line. */
    public static Optional<AuditRecord> parse(String namenode, String line) {
        int head = line.indexOf(HEAD);
        if (head != TIME) {
            return Optional.empty();
        }
        Map<String, String> fields = new HashMap<>();
        for (String field : line.substring(head + HEAD.length()).split("\t", -1)) {
            int equals = field.indexOf('=');
            if (equals > 0) {
                fields.put(field.substring(0, equals), field.substring(equals + 1));
            }
        }
        String ugi = field(fields, "ugi");
        String user = ugi.substring(0, Math.max(0, ugi.indexOf(AUTHENTICATION)));
        String program = field(fields, "callerContext").replaceFirst("^client ", "");
        return Optional.of(new AuditRecord(
                line.substring(0, 10) + "T" + line.substring(11, TIME).replace(',', '.') + "Z",
                namenode,
                person(program).orElse(user),
                user,
                via(program),
                field(fields, "ip").replaceFirst("^/", ""),
                field(fields, "cmd"),
                field(fields, "src"),
                field(fields, "dst"),
                field(fields, "result"),
                field(fields, "detail")));
    }

    private static String field(Map<String, String> fields, String name) {
        String value = fields.getOrDefault(name, "");
        return value.equals("null") ? "" : value;
    }

    /** The person whom the program names, and the user that the namenode checked, where they differ. */
    public String who() {
        return person.equals(user) ? user : person + " as " + user;
    }

    private static Optional<String> person(String program) {
        for (String mark : new String[] {CONSOLE, SUDO}) {
            if (program.startsWith(mark)) {
                return Optional.of(program.substring(mark.length()));
            }
        }
        return Optional.empty();
    }

    private static String via(String program) {
        int end = program.indexOf(program.startsWith(CONSOLE) ? ':' : ' ');
        return end < 0 ? program : program.substring(0, end);
    }
}
