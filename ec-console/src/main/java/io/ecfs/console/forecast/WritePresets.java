package io.ecfs.console.forecast;

import io.ecfs.plan.write.WriteConstants;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Constants of writes that come with the program. */
public enum WritePresets {
    /** Calibrated from writes of this file system; the resource says where and when. */
    ECFS("ecfs.csv"),
    /** The hardware and the file system of Kim et al., fitted to their tables. */
    PAPER("paper.csv");

    private final String resource;

    WritePresets(String resource) {
        this.resource = resource;
    }

    public WriteConstants constants() {
        return WriteConstants.parse(text(resource));
    }

    /** Seconds of the five steps for 50,000 records, by table, network and record: the paper's tables 1 to 3. */
    public static String paperTables() {
        return text("paper-tables.csv");
    }

    private static String text(String resource) {
        try (InputStream in = WriteConstants.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalStateException("resource " + resource + " is missing from this build");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the resource " + resource, e);
        }
    }
}
