package io.ecfs.console.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A page of {@code docs/examples}, whose settings a test uses as they stand there. */
final class ExamplePage {
    private static final Pattern BLOCK = Pattern.compile("(?ms)^```\\w*\\n(.*?)^```$");
    private static final Pattern PROPERTY =
            Pattern.compile("<property><name>([^<]+)</name>\\s*<value>([^<]+)</value></property>");

    private final String name;
    private final String text;

    private ExamplePage(String name, String text) {
        this.name = name;
        this.text = text;
    }

    /** @param cluster whose namenodes stand in place of those that the pages have */
    static ExamplePage of(String name, ProcessCluster cluster) throws IOException {
        String text = Files.readString(
                JobProject.module().resolveSibling("docs").resolve("examples").resolve(name));
        return new ExamplePage(name, text.replace("nn-a:9700,nn-b:9700,nn-c:9700", cluster.namenodes()));
    }

    /** The block of lines that has some text. */
    String block(String with) {
        Matcher blocks = BLOCK.matcher(text);
        while (blocks.find()) {
            if (blocks.group(1).contains(with)) {
                return blocks.group(1);
            }
        }
        throw new AssertionError("no block of docs/examples/" + name + " has '" + with + "'");
    }

    /** Hadoop's properties in the block of lines that has some text. */
    Map<String, String> properties(String with) {
        Map<String, String> properties = new LinkedHashMap<>();
        Matcher lines = PROPERTY.matcher(block(with));
        while (lines.find()) {
            properties.put(lines.group(1), lines.group(2));
        }
        assertThat(properties).as("properties of docs/examples/" + name).isNotEmpty();
        return properties;
    }
}
