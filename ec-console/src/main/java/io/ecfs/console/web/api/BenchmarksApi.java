package io.ecfs.console.web.api;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ecfs.bench.koh.KohFigures;
import io.ecfs.bench.report.Figure;
import io.ecfs.bench.report.FigureFile;
import io.ecfs.bench.report.FigureKey;
import io.ecfs.bench.report.Plot;
import io.ecfs.bench.report.Plots;
import io.ecfs.bench.report.Summary;
import io.ecfs.console.view.Json;
import io.ecfs.console.view.Times;
import io.ecfs.console.web.settings.ConsoleConfig;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
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

/** Results of {@code ecfs bench --json} and of JMH in one directory. */
@RestController
@RequestMapping("/api/v1/benchmarks")
final class BenchmarksApi {
    private static final int MOST_FILES = 200;
    private static final long MOST_BYTES = 4 << 20;
    private static final int MOST_PLOTS = 60;

    private final Optional<Path> directory;

    BenchmarksApi(ConsoleConfig config) {
        this.directory = config.benchmarks().map(Path::of);
    }

    /** Names of the files, newest first. */
    @GetMapping
    ResponseEntity<byte[]> list() throws IOException {
        ObjectNode json = Json.node();
        json.put("directory", directory.map(Path::toString).orElse(null));
        ArrayNode files = json.putArray("files");
        if (directory.isPresent() && Files.isDirectory(directory.get())) {
            for (Path file : files()) {
                ObjectNode one = files.addObject();
                one.put("name", file.getFileName().toString());
                one.put("at", Times.iso(Files.getLastModifiedTime(file).toMillis()));
            }
        }
        return Answers.json(json);
    }

    /** The figures of one file. */
    @GetMapping("/{name}")
    ResponseEntity<byte[]> figures(@PathVariable String name) throws IOException {
        ObjectNode json = Json.node();
        json.put("name", name);
        ArrayNode figures = json.putArray("figures");
        for (Figure figure : read(name)) {
            figures.add(Json.node(figure).put("case", FigureKey.of(figure).text()));
        }
        return Answers.json(json);
    }

    private List<Figure> read(String name) throws IOException {
        // Only what was listed can be named: nothing outside the directory can.
        Path file = (directory.isPresent() && Files.isDirectory(directory.get()) ? files() : List.<Path>of())
                .stream()
                        .filter(f -> f.getFileName().toString().equals(name))
                        .findFirst()
                        .orElseThrow(() -> new EcfsException(ErrorCode.NOT_FOUND, "no benchmark of that name"));
        try {
            return FigureFile.read(file);
        } catch (CharacterCodingException e) {
            throw new EcfsException(ErrorCode.INVALID_ARGUMENT, name + " is no text of figures", e);
        }
    }

    /**
     * Pictures of one file: ratios beside a paper's, and rates over time where the paper has them.
     *
     * @see Plots the same as in the page of {@code ecfs bench --html}
     */
    @GetMapping("/{name}/plots")
    ResponseEntity<byte[]> plots(@PathVariable String name) throws IOException {
        List<Summary> summaries = Summary.of(read(name));
        List<Plot> plots = new ArrayList<>(Plots.ratios(summaries));
        plots.addAll(
                Plots.rates(summaries.stream().filter(BenchmarksApi::isOverTime).toList()));
        ObjectNode json = Answers.list(
                "plots", plots.stream().limit(MOST_PLOTS).map(Json::node).toList());
        json.put("name", name);
        json.put("leftOut", Math.max(0, plots.size() - MOST_PLOTS));
        return Answers.json(json);
    }

    /** Of a stage that is measured for a figure whose curves are over time. */
    private static boolean isOverTime(Summary summary) {
        List<String> words =
                List.of(summary.key().params().getOrDefault("figure", "").split(" ", -1));
        return KohFigures.all().stream().anyMatch(figure -> figure.isOverTime() && words.contains(figure.word()));
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(directory.orElseThrow())) {
            return files.filter(Files::isRegularFile)
                    .filter(file -> file.toFile().length() < MOST_BYTES)
                    .sorted(Comparator.comparing((Path file) -> file.toFile().lastModified())
                            .reversed()
                            .thenComparing(file -> file))
                    .limit(MOST_FILES)
                    .toList();
        }
    }
}
