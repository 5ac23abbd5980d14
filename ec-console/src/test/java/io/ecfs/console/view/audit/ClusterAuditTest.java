package io.ecfs.console.view.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.message.namespace.NamespaceReply.AuditLines;
import io.ecfs.message.report.AuditPlace;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Audit logs of several namenodes make one. */
class ClusterAuditTest {
    private static String line(int second, String context) {
        return String.format(
                "2026-11-26 12:00:%02d,000 INFO ecfs.audit: allowed=true\tugi=root (auth:SIMPLE)\tip=/10.0.0.7\t"
                        + "cmd=setThrottles\tsrc=null\tdst=null\tperm=null\tproto=rpc\tcallerContext=%s\tresult=OK"
                        + "\trequest=1#2\tdetail=repairs=5",
                second, context);
    }

    private static AuditRecord record(String context) {
        return AuditRecord.parse("nn0", line(1, context)).orElseThrow();
    }

    @Test
    void thePersonIsTheAccountOfTheConsole() {
        assertThat(record("client console:olga").person()).isEqualTo("olga");
        assertThat(record("client console:olga").via()).isEqualTo("console");
    }

    @Test
    void thePersonOfACommandIsTheOneBehindSudo() {
        assertThat(record("client cli sudo:ann").person()).isEqualTo("ann");
        assertThat(record("client cli sudo:ann").via()).isEqualTo("cli");
        assertThat(record("client cli").person()).isEqualTo("root");
    }

    @Test
    void theUserOfAProxyUserActs() {
        String proxied = line(1, "client webhdfs via:hue")
                .replace("root (auth:SIMPLE)", "ann (auth:PROXY) via hue (auth:SIMPLE)");
        AuditRecord record = AuditRecord.parse("nn0", proxied).orElseThrow();
        assertThat(List.of(record.person(), record.user(), record.via())).containsExactly("ann", "ann", "webhdfs");
    }

    @Test
    void whatIsNoLineOfAnAuditLogIsLeftOut() {
        assertThat(AuditRecord.parse("nn0", "garbage")).isEmpty();
    }

    /** The lines of a namenode, seconds descending, as its reader gives them. */
    private static AuditLines page(List<Integer> seconds, Optional<AuditPlace> before, int limit) {
        List<Integer> older = seconds.stream()
                .filter(second -> before.isEmpty() || second < before.get().offset())
                .toList();
        List<AuditLines.Line> lines = older.stream()
                .limit(limit)
                .map(second -> new AuditLines.Line(new AuditPlace(7, second), line(second, "client cli")))
                .toList();
        boolean more = older.size() > limit;
        String reached =
                lines.isEmpty() ? "" : lines.get(lines.size() - 1).text().substring(0, 23);
        return new AuditLines(
                lines, more ? Optional.of(lines.get(lines.size() - 1).place()) : Optional.empty(), reached);
    }

    @Test
    void pagesOfSeveralNamenodesHaveAllLinesInOrder() {
        Map<String, List<Integer>> logs =
                Map.of("nn0", List.of(50, 40, 30, 20, 10), "nn1", List.of(9, 8, 7), "nn2", List.of(45, 5));
        List<String> seconds = new ArrayList<>();
        Map<String, Optional<AuditPlace>> from = new TreeMap<>();
        Optional<String> next = Optional.of("");
        for (int pages = 0; next.isPresent() && pages < 30; pages++) {
            Map<String, AuditLines> asked = new TreeMap<>();
            boolean first = pages == 0;
            logs.forEach((namenode, its) -> {
                if (first || from.containsKey(namenode)) {
                    asked.put(namenode, page(its, from.getOrDefault(namenode, Optional.empty()), 2));
                }
            });
            ClusterAudit merged = ClusterAudit.merged(asked, new AuditCursor(from), Map.of(), 5);
            from.clear();
            merged.entries().forEach(entry -> seconds.add(entry.at().substring(17, 19)));
            next = merged.next();
            for (String place : next.map(text -> text.split(",")).orElse(new String[0])) {
                String value = place.substring(4);
                from.put(place.substring(0, 3), Optional.of(new AuditPlace(7, Long.parseLong(value.substring(2)))));
            }
        }
        assertThat(seconds).containsExactly("50", "45", "40", "30", "20", "10", "09", "08", "07", "05");
    }

    @Test
    void aNamenodeThatWasNotReadIsAskedAgain() {
        Map<String, Optional<AuditPlace>> from =
                Map.of("nn0", Optional.of(new AuditPlace(7, 50)), "nn1", Optional.of(new AuditPlace(7, 9)));
        Map<String, String> missing = Map.of("nn1", "timeout", "nn2", "timeout");

        ClusterAudit page = ClusterAudit.merged(
                Map.of("nn0", page(List.of(40), Optional.empty(), 5)), new AuditCursor(from), missing, 5);

        assertThat(page.next()).contains("nn1=7.9,nn2=start");
    }

    @Test
    void onlyTheMarkAtItsPlaceNamesAPerson() {
        assertThat(record("client x console:olga").person()).isEqualTo("root");
        assertThat(record("client cli x sudo:ann").person()).isEqualTo("root");
        assertThat(record("client console:olga").who()).isEqualTo("olga as root");
        assertThat(record("client cli").who()).isEqualTo("root");
    }

    @Test
    void aCellThatASpreadsheetWouldComputeIsText() {
        ClusterAudit audit = new ClusterAudit(
                List.of(new AuditRecord("t", "nn0", "=1+1", "u", "cli", "a", "b", "/x,\"y\"", "", "OK", "")),
                Optional.empty(),
                Map.of());
        assertThat(AuditCsv.of(audit))
                .startsWith("at,namenode,person,")
                .endsWith("\r\nt,nn0,'=1+1,u,cli,a,b,\"/x,\"\"y\"\"\",,OK,\r\n");
    }

    @Test
    void aNamenodeThatWasNotReadIsALineOfTheCsv() {
        ClusterAudit audit = new ClusterAudit(List.of(), Optional.empty(), Map.of("nn2", "it is down, says \"x\""));

        assertThat(AuditCsv.of(audit)).endsWith("\r\n,nn2,,,,,,,,not read,\"it is down, says \"\"x\"\"\"\r\n");
    }
}
