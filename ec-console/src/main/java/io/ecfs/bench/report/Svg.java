package io.ecfs.bench.report;

import java.util.Locale;

/**
 * A picture as inline SVG. Colours are attributes, and text has that of the page around it, so that a page that allows
 * no inline style shows it, in a light and in a dark theme. For one thread.
 */
final class Svg {
    /** The colour of the page's text. */
    static final String TEXT = "currentColor";

    /** Of text at the upper edge. */
    private static final int ABOVE = 8;

    private static final String FAINT = "0.18";

    private final StringBuilder svg = new StringBuilder();

    /** @param label what it shows, for screen readers */
    Svg(int width, int height, String label) {
        svg.append(String.format(
                Locale.ROOT,
                "<svg role=\"img\" aria-label=\"%3$s\" viewBox=\"0 -%4$d %1$d %2$d\""
                        + " width=\"%1$d\" height=\"%2$d\" font-size=\"11\">%n",
                width,
                height + ABOVE,
                HtmlText.escaped(label),
                ABOVE));
    }

    /** @param anchor the point of the text at x: {@code start}, {@code middle}, {@code end} */
    Svg text(double x, double y, String anchor, String text) {
        return add(
                "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" fill=\"%s\">%s</text>",
                x, y, anchor, TEXT, HtmlText.escaped(text));
    }

    Svg line(double x1, double y1, double x2, double y2, String colour, double width, String title) {
        return add(
                "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\" stroke-width=\"%.1f\">%s</line>",
                x1, y1, x2, y2, colour, width, title(title));
    }

    /** A line of a grid. */
    Svg grid(double x1, double y1, double x2, double y2) {
        return add(
                "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\" stroke-opacity=\"%s\"/>",
                x1, y1, x2, y2, TEXT, FAINT);
    }

    Svg band(double x, double y, double width, double height, String colour, String title) {
        return add(
                "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\""
                        + " fill-opacity=\"0.25\">%s</rect>",
                x, y, width, height, colour, title(title));
    }

    Svg circle(double x, double y, double radius, String colour, String title) {
        return add(
                "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" fill=\"%s\">%s</circle>",
                x, y, radius, colour, title(title));
    }

    /** @param points corners as {@code x,y x,y …} */
    Svg polygon(String points, String colour, String title) {
        return add("<polygon points=\"%s\" fill=\"%s\">%s</polygon>", points, colour, title(title));
    }

    /** @param points as {@code x,y x,y …} */
    Svg polyline(String points, String colour) {
        return add("<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"1.5\"/>", points, colour);
    }

    String end() {
        return svg + "</svg>\n";
    }

    private static String title(String title) {
        return "<title>" + HtmlText.escaped(title) + "</title>";
    }

    private Svg add(String format, Object... values) {
        svg.append(String.format(Locale.ROOT, format, values)).append('\n');
        return this;
    }
}
