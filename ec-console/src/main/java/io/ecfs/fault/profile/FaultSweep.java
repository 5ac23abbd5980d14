package io.ecfs.fault.profile;

import io.ecfs.config.ConfigException;
import io.ecfs.config.ConfigReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A profile with several values of some settings: all combinations are run.
 *
 * @param profile file of the profile, relative to that of the sweep
 * @param settings values by key: of the profile ({@code workload.bytes}, {@code policies}), or of daemons
 *     ({@code datanode.repair.atOnce})
 */
public record FaultSweep(String profile, Map<String, List<String>> settings) {
    private static final int MOST = 200;

    public FaultSweep {
        Objects.requireNonNull(profile, "profile");
        settings = Collections.unmodifiableMap(new LinkedHashMap<>(settings));
        if (settings.isEmpty()) {
            throw new IllegalArgumentException(
                    "settings must have at least one; nearest valid is {datanode.repair.slicesAtOnce: [1, 4]}");
        }
        long combinations = 1;
        for (Map.Entry<String, List<String>> setting : settings.entrySet()) {
            if (setting.getValue().isEmpty()) {
                throw new IllegalArgumentException(setting.getKey() + " has no values");
            }
            combinations *= setting.getValue().size();
            if (combinations > MOST) {
                throw new IllegalArgumentException("a sweep has at most " + MOST + " combinations; give fewer values");
            }
        }
    }

    /** Reads a sweep. */
    public static FaultSweep read(Path file) throws IOException {
        return ConfigReader.read(FaultSweep.class, file, List.of());
    }

    /** All combinations, the last setting changing fastest: value by key. */
    public List<Map<String, String>> combinations() {
        List<Map<String, String>> all = List.of(Map.of());
        for (Map.Entry<String, List<String>> setting : settings.entrySet()) {
            List<Map<String, String>> longer = new ArrayList<>();
            for (Map<String, String> begun : all) {
                for (String value : setting.getValue()) {
                    Map<String, String> next = new LinkedHashMap<>(begun);
                    next.put(setting.getKey(), value);
                    longer.add(next);
                }
            }
            all = longer;
        }
        return all;
    }

    /**
     * The profile of a combination.
     *
     * @param sweep file that this was read from
     * @throws ConfigException when the profile takes no such value
     */
    public FaultProfile profile(Path sweep, Map<String, String> combination) throws IOException {
        List<String> overrides = new ArrayList<>();
        List<String> daemons = new ArrayList<>();
        combination.forEach((key, value) -> {
            boolean ofDaemons = key.startsWith("namenode.") || key.startsWith("datanode.") || key.startsWith("client.");
            (ofDaemons ? daemons : overrides).add(key + "=" + value);
        });
        FaultProfile read = FaultProfile.read(sweep.resolveSibling(profile), overrides);
        return read.with(read.cluster().with(daemons));
    }
}
