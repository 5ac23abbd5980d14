package io.ecfs.console.view.audit;

import java.util.List;
import java.util.stream.Collectors;

/**
 * Lines of the audit logs as CSV (RFC 4180), and a line for each namenode that was not read; what a spreadsheet would
 * compute has an apostrophe before it.
 */
public final class AuditCsv {
    private static final String HEAD = "at,namenode,person,user,via,from,action,target,to,result,detail\r\n";

    private AuditCsv() {}

    /** The whole document. */
    public static String of(ClusterAudit audit) {
        StringBuilder csv = new StringBuilder(HEAD);
        for (AuditRecord e : audit.entries()) {
            csv.append(List.of(
                            e.at(),
                            e.namenode(),
                            e.person(),
                            e.user(),
                            e.via(),
                            e.from(),
                            e.action(),
                            e.target(),
                            e.to(),
                            e.result(),
                            e.detail())
                    .stream()
                    .map(AuditCsv::cell)
                    .collect(Collectors.joining(",")));
            csv.append("\r\n");
        }
        audit.missing()
                .forEach(
                        (namenode, why) -> csv.append("," + cell(namenode) + ",,,,,,,,not read," + cell(why) + "\r\n"));
        return csv.toString();
    }

    private static String cell(String text) {
        String safe = !text.isEmpty() && "=+-@\t\r".indexOf(text.charAt(0)) >= 0 ? "'" + text : text;
        return safe.matches("[^\",\r\n]*") ? safe : '"' + safe.replace("\"", "\"\"") + '"';
    }
}
