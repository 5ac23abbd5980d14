package io.ecfs.bench.report;

/** Text as HTML and SVG write it, in elements and in attributes. */
final class HtmlText {
    private HtmlText() {}

    static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
