package io.ecfs.console.web.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ecfs.advise.Advice;
import io.ecfs.advise.Advisor;
import io.ecfs.advise.Candidates;
import io.ecfs.advise.FileSet;
import io.ecfs.advise.Goals;
import io.ecfs.advise.Machines;
import io.ecfs.advise.ReadCosts;
import io.ecfs.config.Sizes;
import io.ecfs.console.forecast.AdviceDefaults;
import io.ecfs.console.forecast.DiskSpeed;
import io.ecfs.console.forecast.ForecastDefaults;
import io.ecfs.console.forecast.NetworkSpeed;
import io.ecfs.console.view.Json;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** {@code ecfs advise --json}: arithmetic alone, the cluster is not asked. */
@RestController
@RequestMapping("/api/v1/advice")
final class AdviceApi {
    private final ReadCosts reads = new ReadCosts();

    /**
     * Texts are those of the command's options, and so are the refusals.
     *
     * @param recoverIn empty: any
     * @param overhead empty: any
     * @param grace empty: the namenodes' default
     * @param all every policy and cell, not only the best cell of the first codes
     */
    @GetMapping
    ResponseEntity<byte[]> advice(
            @RequestParam String files,
            @RequestParam String datanodes,
            @RequestParam(defaultValue = AdviceDefaults.LOSSES_TEXT) String tolerate,
            @RequestParam(defaultValue = "") String recoverIn,
            @RequestParam(defaultValue = "") String overhead,
            @RequestParam(defaultValue = AdviceDefaults.DISK_TEXT) String disk,
            @RequestParam(defaultValue = AdviceDefaults.NETWORK_TEXT) String net,
            @RequestParam(defaultValue = ForecastDefaults.CORES_TEXT) String cores,
            @RequestParam(defaultValue = "") String grace,
            @RequestParam(defaultValue = AdviceDefaults.PACK_TEXT) String pack,
            @RequestParam(defaultValue = "false") boolean all) {
        Goals goals = new Goals(
                whole("tolerate", tolerate),
                given(recoverIn, "recoverIn", Sizes::duration),
                given(overhead, "overhead", AdviceApi::number)
                        .map(OptionalDouble::of)
                        .orElseGet(OptionalDouble::empty));
        Optional<Duration> away = given(grace, "grace", Sizes::duration);
        Machines machines = new Machines(
                whole("datanodes", datanodes),
                named("disk", disk, DiskSpeed::bytesPerSecond),
                named("net", net, NetworkSpeed::gigabits) * NetworkSpeed.BYTES_OF_GIGABIT,
                whole("cores", cores));
        Advisor advisor = new Advisor(
                named("files", files, FileSet::parse),
                AdviceDefaults.packedUpTo(pack),
                machines,
                AdviceDefaults.tuning(away),
                goals,
                reads);
        List<Advice> ranked = advisor.rank(Candidates.surviving(goals.losses()));
        List<Advice> shown = all ? ranked : Advisor.bestCells(ranked, AdviceDefaults.ROWS);
        ObjectNode json = Answers.list("advice", shown.stream().map(Json::node).toList());
        json.put("waitSeconds", advisor.waitSeconds());
        json.put("meeting", ranked.stream().filter(Advice::meetsAll).count());
        json.put("ranked", ranked.size());
        return Answers.json(json);
    }

    private static <T> Optional<T> given(String text, String name, Function<String, T> read) {
        return text.isBlank() ? Optional.empty() : Optional.of(named(name, text, read));
    }

    private static <T> T named(String name, String text, Function<String, T> read) {
        try {
            return read.apply(text.strip());
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("'" + text + "' is not a number for " + name, e);
        }
    }

    private static double number(String text) {
        return Double.parseDouble(text);
    }

    private static int whole(String name, String text) {
        try {
            return Integer.parseInt(text.strip());
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("'" + text + "' is not an int for " + name, e);
        }
    }
}
