package io.ecfs.console.web.api;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ecfs.console.view.Json;
import io.ecfs.console.view.Times;
import io.ecfs.console.web.settings.ConsoleConfig;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.fault.lab.StoredReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Reports of {@code ecfs fault run} and {@code sweep} in the directory of benchmarks: each in a directory of its own
 * below it, and one in itself. They are read and nothing else: experiments hurt clusters of their own, and are started
 * from the command line alone.
 */
@RestController
@RequestMapping("/api/v1/experiments")
final class ExperimentsApi {
    private static final int MOST_REPORTS = 200;
    private static final long MOST_BYTES = 256L << 20;

    private final Optional<Path> directory;

    ExperimentsApi(ConsoleConfig config) {
        this.directory = config.benchmarks().map(Path::of);
    }

    /** A report; that of the directory itself has the name of the file, which no directory can have there. */
    private record Report(String name, Path file) {
        long writtenMillis() {
            return file.toFile().lastModified();
        }
    }

    /** Names of the reports, newest first. */
    @GetMapping
    ResponseEntity<byte[]> list() throws IOException {
        ObjectNode json = Json.node();
        json.put("directory", directory.map(Path::toString).orElse(null));
        ArrayNode list = json.putArray("reports");
        for (Report report : reports()) {
            list.addObject().put("name", report.name()).put("at", Times.iso(report.writtenMillis()));
        }
        return Answers.json(json);
    }

    /** The results of one report, and how much each setting of a sweep mattered. One is read at a time. */
    @GetMapping("/{name}")
    synchronized ResponseEntity<byte[]> results(@PathVariable String name) throws IOException {
        // Only what was listed can be named: nothing outside the directory can.
        Path file = reports().stream()
                .filter(report -> report.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new EcfsException(ErrorCode.NOT_FOUND, "no report of that name"))
                .file();
        if (Files.size(file) > MOST_BYTES) {
            throw new EcfsException(
                    ErrorCode.INVALID_ARGUMENT,
                    "the report has more than " + (MOST_BYTES >> 20) + " MiB: report.html beside it has its tables");
        }
        StoredReport report;
        try {
            report = StoredReport.read(file);
        } catch (IllegalArgumentException e) {
            throw new EcfsException(ErrorCode.INVALID_ARGUMENT, name + ": " + e.getMessage(), e);
        }
        ObjectNode json = Answers.list(
                "results", report.results().stream().map(ExperimentJson::of).toList());
        json.put("name", name);
        json.setAll(Answers.list(
                "sensitivity",
                report.sensitivity().stream().map(ExperimentJson::of).toList()));
        return Answers.json(json);
    }

    private List<Report> reports() throws IOException {
        if (directory.isEmpty() || !Files.isDirectory(directory.get())) {
            return List.of();
        }
        List<Report> reports = new ArrayList<>();
        try (Stream<Path> entries = Files.list(directory.get())) {
            entries.forEach(entry -> {
                String name = entry.getFileName().toString();
                Path below = entry.resolve(StoredReport.FILE);
                if (Files.isDirectory(entry) && Files.isRegularFile(below)) {
                    reports.add(new Report(name, below));
                } else if (name.equals(StoredReport.FILE) && Files.isRegularFile(entry)) {
                    reports.add(new Report(name, entry));
                }
            });
        }
        return reports.stream()
                .sorted(Comparator.comparingLong(Report::writtenMillis)
                        .reversed()
                        .thenComparing(Report::name))
                .limit(MOST_REPORTS)
                .toList();
    }
}
