package io.ecfs.fault.lab;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Results as {@code report.json} has them, without the events of the daemons' logs, which are nearly all of its bytes.
 *
 * @param results in the order in which they were run
 */
public record StoredReport(List<ExperimentResult> results) {
    /** Name of the file. */
    public static final String FILE = "report.json";

    private static final int MOST_RESULTS = 10_000;
    private static final String EVENTS = "events";
    private static final ObjectMapper JSON = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    public StoredReport {
        results = List.copyOf(results);
    }

    /**
     * Reads a file.
     *
     * @throws IllegalArgumentException when it is no report of experiments
     */
    public static StoredReport read(Path file) throws IOException {
        try (JsonParser parser = new JsonFactory(JSON).createParser(file.toFile())) {
            if (parser.nextToken() != JsonToken.START_ARRAY) {
                throw new IllegalArgumentException("no report of experiments: a list of results is expected");
            }
            List<ExperimentResult> results = new ArrayList<>();
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                if (results.size() == MOST_RESULTS) {
                    throw new IllegalArgumentException("a report has at most " + MOST_RESULTS + " results");
                }
                results.add(result(parser));
            }
            return new StoredReport(results);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(
                    "no report of experiments: "
                            + e.getOriginalMessage().lines().findFirst().orElse(""),
                    e);
        }
    }

    private static ExperimentResult result(JsonParser parser) throws IOException {
        if (parser.currentToken() != JsonToken.START_OBJECT) {
            throw new IllegalArgumentException("no report of experiments: each result is an object");
        }
        ObjectNode result = JSON.createObjectNode();
        for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
            parser.nextToken();
            if (name.equals(EVENTS)) {
                parser.skipChildren();
            } else {
                result.set(name, JSON.readTree(parser));
            }
        }
        result.putArray(EVENTS);
        return JSON.treeToValue(result, ExperimentResult.class);
    }

    /** How much each setting of a sweep mattered; of a run by itself nothing. */
    public List<Sensitivity> sensitivity() {
        Map<Map<String, String>, List<ExperimentResult>> bySettings = new LinkedHashMap<>();
        for (ExperimentResult result : results) {
            if (!result.settings().isEmpty()) {
                bySettings
                        .computeIfAbsent(result.settings(), key -> new ArrayList<>())
                        .add(result);
            }
        }
        List<SweepPoint> points = new ArrayList<>();
        bySettings.forEach((settings, its) -> points.add(new SweepPoint(settings, its)));
        return points.isEmpty()
                        || points.stream()
                                .anyMatch(point -> !point.settings()
                                        .keySet()
                                        .equals(points.get(0).settings().keySet()))
                ? List.of()
                : Sensitivity.of(points);
    }
}
