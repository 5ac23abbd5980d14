package io.ecfs.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.StringReader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

class PlotsTest {
    private static final double LEFT = 20;
    private static final double RIGHT = 700;

    private static Figure ratio(String quantity, double ours, Object... more) {
        Map<String, Object> params = new LinkedHashMap<>();
        params.put("figure", "fig7");
        params.put("quantity", quantity);
        params.put("of", "rs-6-3-64k");
        for (int i = 0; i < more.length; i += 2) {
            params.put((String) more[i], more[i + 1]);
        }
        return new Figure("koh_ratio", ours, "ratio", params);
    }

    private static Document drawn(Figure... figures) throws Exception {
        List<Plot> plots = Plots.ratios(Summary.of(List.of(figures)));
        assertThat(plots).hasSize(1);
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new InputSource(new StringReader(plots.get(0).svg())));
    }

    /** The shapes whose title begins so, without the legend's. */
    private static List<Element> marks(Document svg, String title) {
        List<Element> marks = new ArrayList<>();
        NodeList titles = svg.getElementsByTagName("title");
        for (int i = 0; i < titles.getLength(); i++) {
            Element mark = (Element) titles.item(i).getParentNode();
            if (titles.item(i).getTextContent().startsWith(title) && y(mark) > 20) {
                marks.add(mark);
            }
        }
        return marks;
    }

    private static double y(Element mark) {
        return switch (mark.getTagName()) {
            case "circle" -> number(mark, "cy");
            case "polygon" -> Double.parseDouble(mark.getAttribute("points").split("[ ,]", -1)[1]);
            case "line" -> number(mark, "y1");
            default -> number(mark, "y");
        };
    }

    private static double x(Element mark) {
        return switch (mark.getTagName()) {
            case "circle" -> number(mark, "cx");
            case "polygon" -> Double.parseDouble(mark.getAttribute("points").split("[ ,]", -1)[2]);
            case "line" -> number(mark, "x1");
            default -> number(mark, "x");
        };
    }

    private static double number(Element mark, String attribute) {
        return Double.parseDouble(mark.getAttribute(attribute));
    }

    @Test
    void equalQuotientsAreEquallyFarApart() throws Exception {
        Document svg = drawn(ratio("throughput", 1, "paper", 0.1, "rules", 10.0, "limit", 5.0));
        double ours = x(marks(svg, "ours 1").get(0));
        double paper = x(marks(svg, "paper 0.100").get(0));
        double rules = x(marks(svg, "rules 10").get(0));
        double limit = x(marks(svg, "limit 5").get(0));
        assertThat(paper).isEqualTo(LEFT);
        assertThat(rules).isEqualTo(RIGHT);
        assertThat(ours - paper).isCloseTo(rules - ours, within(0.11));
        assertThat(limit).isCloseTo(ours + (rules - ours) * Math.log10(5), within(0.11));
    }

    @Test
    void aRatioThatIsShortOfItsTargetIsRedAndSaysSo() throws Exception {
        Document svg = drawn(
                ratio("throughput", 1.2, "target", ">= 1.50", "least", 1.5, "met", false),
                ratio("latency", 0.5, "target", "<= 1.00", "most", 1, "met", true),
                ratio("network", 3));
        assertThat(marks(svg, "ours 1.20").get(0).getAttribute("fill"))
                .isNotEqualTo(marks(svg, "ours 0.500").get(0).getAttribute("fill"));
        assertThat(marks(svg, "ours 3").get(0).getAttribute("fill"))
                .as("without a target nothing is short")
                .isEqualTo(marks(svg, "ours 0.500").get(0).getAttribute("fill"));
        assertThat(svg.getDocumentElement().getTextContent())
                .contains("1.20, target >= 1.50: short", "0.500, target <= 1.00: met");
    }

    @Test
    void aTargetIsABandFromItsBoundToTheEndOfTheAxis() throws Exception {
        Document svg = drawn(
                ratio("a", 1, "target", ">= 2.00", "least", 2, "met", false, "limit", 2),
                ratio("b", 1, "target", "<= 2.00", "most", 2, "met", true),
                ratio(
                        "c",
                        1,
                        "target",
                        "0.500 to 2.00",
                        "least",
                        0.5,
                        "most",
                        2,
                        "met",
                        true,
                        "paper",
                        0.1,
                        "rules",
                        10));
        List<Element> bands = marks(svg, "target");
        double bound = x(marks(svg, "limit 2").get(0));
        assertThat(bands).hasSize(3);
        assertThat(x(bands.get(0))).isCloseTo(bound, within(1.5));
        assertThat(end(bands.get(0))).isCloseTo(RIGHT, within(1.5));
        assertThat(x(bands.get(1))).isCloseTo(LEFT, within(1.5));
        assertThat(end(bands.get(1))).isCloseTo(bound, within(1.5));
        assertThat(x(bands.get(2))).isGreaterThan(LEFT + 100);
        assertThat(end(bands.get(2))).isCloseTo(bound, within(1.5));
    }

    private static double end(Element band) {
        return x(band) + number(band, "width");
    }

    @Test
    void nothingHasAPlaceLeftOfAllThatIsSomething() throws Exception {
        Document svg = drawn(ratio("read", 0.001, "limit", 0, "target", "<= 0.000", "met", false));
        assertThat(x(marks(svg, "limit 0").get(0)))
                .isBetween(LEFT, x(marks(svg, "ours 0.001").get(0)) - 10);
        assertThat(svg.getDocumentElement().getTextContent()).contains("\n0\n");
    }

    @Test
    void numbersThatAreNoneAndNumbersBeyondTheAxisAreDrawnOrLeftOut() throws Exception {
        Document svg = drawn(ratio("wild", 1e300, "paper", "NaN", "rules", "Infinity", "limit", 1e-300));
        assertThat(marks(svg, "paper")).isEmpty();
        assertThat(marks(svg, "rules")).isEmpty();
        assertThat(x(marks(svg, "limit").get(0))).isEqualTo(LEFT);
        assertThat(x(marks(svg, "ours").get(0))).isEqualTo(RIGHT);
        assertThat(svg.getElementsByTagName("text").getLength()).isLessThan(25);
    }

    @Test
    void textOfAFileIsText() throws Exception {
        Document svg = drawn(ratio("<script>alert(1)</script>", 1, "title", "\"><b>"));
        assertThat(svg.getElementsByTagName("script").getLength()).isZero();
        assertThat(svg.getDocumentElement().getAttribute("aria-label"))
                .isEqualTo("fig7: \"><b>; <script>alert(1)</script>: 1.00");
    }

    @Test
    void onlyRatiosHaveAPlotAndThePageOfABenchHasTheSame() {
        List<Figure> figures = List.of(
                new Figure("write_seq", 1, "MB/s", Map.of("policy", "rs-6-3-64k")),
                ratio("throughput", 1.2, "paper", 0.3));
        List<Plot> plots = Plots.ratios(Summary.of(figures));
        assertThat(plots).singleElement().satisfies(plot -> {
            assertThat(plot.title()).isEqualTo("fig7");
            assertThat(plot.note()).isEqualTo("ours: rs-6-3-64k");
        });
        assertThat(HtmlPage.text(List.of(), figures))
                .contains(plots.get(0).svg())
                .doesNotContain("<h2>koh_ratio</h2>");
    }

    @Test
    void policiesOfOneStageAreDrawnOverEachOther() {
        List<Plot> plots = Plots.rates(Summary.of(
                List.of(rate("rs-6-3-64k", 4096), rate("replication-3-64k", 4096), rate("rs-6-3-64k", 8192))));
        assertThat(plots).extracting(Plot::note).containsExactly("size=4096", "size=8192");
        assertThat(plots.get(0).svg().split("<polyline", -1)).hasSize(1 + 2);
        assertThat(plots.get(0).svg()).contains(">rs-6-3-64k</text>", ">replication-3-64k</text>");
    }

    private static Figure rate(String policy, int size) {
        return new Figure(
                "koh_rate",
                4.5,
                "MB/s",
                Map.of(
                        "policy",
                        policy,
                        "size",
                        size,
                        HtmlPage.RATE_OVER_TIME,
                        List.of(List.of(0.0, 4.0), List.of(0.1, 5))));
    }
}
