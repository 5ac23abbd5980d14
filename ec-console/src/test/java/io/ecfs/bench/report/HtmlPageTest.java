package io.ecfs.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.plan.write.WritePart;
import java.io.StringReader;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.xml.sax.InputSource;

class HtmlPageTest {
    private static final List<Figure> FIGURES = List.of(
            new Figure(
                    "write_seq",
                    100,
                    "MB/s",
                    Map.of(
                            "policy",
                            "rs-6-3-1024k",
                            "threads",
                            1,
                            "p50_us",
                            900.0,
                            "p99_us",
                            20_000.0,
                            "p999_us",
                            30_000.0,
                            "ops",
                            100,
                            "bytes",
                            104_857_600,
                            "processes",
                            List.of(
                                    Map.of("process", "dn0", "cpu_user_s", 1.5),
                                    Map.of("process", "dn1", "cpu_user_s", 2.5)),
                            WriteSteps.PARAM,
                            new WriteSteps(
                                            20,
                                            0,
                                            Map.of(
                                                    WritePart.COPYING, 0.1,
                                                    WritePart.ASKING, 0.2,
                                                    WritePart.ENCODING, 0.3,
                                                    WritePart.DISTRIBUTING, 0.8,
                                                    WritePart.SERVING, 0.6))
                                    .members())),
            new Figure("write_seq", 120, "MB/s", Map.of("policy", "replication-3", "threads", 1)));

    @Test
    void thePageNeedsNothingButItself() {
        String page = HtmlPage.text(List.of("3 < 4 & so on"), FIGURES);
        assertThat(page).doesNotContain("<script", "src=", "href=", "url(", "@import", "http:", "https:");
        assertThat(page).contains("3 &lt; 4 &amp; so on").contains("<svg").contains("policy=replication-3 threads=1");
    }

    @Test
    void whatFollowsTheDoctypeIsWellFormed() throws Exception {
        String page = HtmlPage.text(List.of(), FIGURES)
                .replace("<!DOCTYPE html>", "")
                .replace("<meta charset=\"utf-8\">", "");
        var document = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new InputSource(new StringReader(page)));
        assertThat(document.getElementsByTagName("rect").getLength())
                .as("two values, one latency, seven parts of five steps")
                .isEqualTo(10);
    }

    @Test
    void latenciesOfConfigurationsAreDrawnOverEachOther() {
        String page = HtmlPage.text(List.of(), List.of(curve("EC", 0), curve("EC+C", 0), curve("EC", 1)));
        assertThat(page.split("<polyline", -1))
                .as("two charts of two lines, two of one")
                .hasSize(1 + 2 * 3);
        assertThat(page.split("<h2>Mean latency over time", -1)).hasSize(1 + 2);
        assertThat(page).as("from zero to 5 ms, 4 of it at the begin").contains("points=\"60.0,48.0 700.0,0.0\"");
    }

    private static Figure curve(String configuration, int failed) {
        return new Figure(
                "latency_mean",
                4.5,
                "ms",
                Map.of(
                        "config",
                        configuration,
                        "failed",
                        failed,
                        HtmlPage.OVER_TIME,
                        List.of(List.of(1.0, 4.0), List.of(2.0, 5.0)),
                        HtmlPage.DISTRIBUTION,
                        List.of(List.of(3.0, 50.0), List.of(9.0, 99.0))));
    }

    @Test
    void processesOfOneRoleAreAddedUp() {
        Table table = Tables.processes(Summary.of(FIGURES));
        assertThat(table.rows()).singleElement().satisfies(row -> {
            assertThat(row.get(table.heads().indexOf("PROCESS"))).isEqualTo("datanodes");
            assertThat(row.get(table.heads().indexOf("USER s"))).isEqualTo("4.00");
        });
    }

    @Test
    void stepsAreToldByStripeAndAsShares() {
        Table table = Tables.steps(Summary.of(FIGURES));
        assertThat(table.rows())
                .containsExactly(List.of(
                        "write_seq",
                        "policy=rs-6-3-1024k threads=1",
                        "20",
                        "0",
                        "5.00 ms 5 %",
                        "10.0 ms 10 %",
                        "0 ms 0 %",
                        "0 ms 0 %",
                        "15.0 ms 15 %",
                        "40.0 ms 40 %",
                        "30.0 ms 30 %"));
    }
}
