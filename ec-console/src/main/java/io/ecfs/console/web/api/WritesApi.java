package io.ecfs.console.web.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ecfs.client.EcfsClient;
import io.ecfs.console.forecast.EncodingAdvice;
import io.ecfs.console.forecast.ForecastDefaults;
import io.ecfs.console.forecast.WriteForecastView;
import io.ecfs.console.forecast.WritePresets;
import io.ecfs.console.forecast.WriteQuestion;
import io.ecfs.console.view.Json;
import io.ecfs.layout.Policy;
import io.ecfs.message.report.WriteReport;
import io.ecfs.plan.write.Network;
import io.ecfs.plan.write.WriteConstants;
import io.ecfs.plan.write.WriteSystem;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.util.List;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** What writes cost: as clients measured them, and as the cost model predicts them on other networks. */
@RestController
@RequestMapping("/api/v1/writes")
final class WritesApi {
    /** Gigabits per second of the links of a forecast. */
    private static final List<Double> NETWORKS = List.of(1.0, 2.5, 10.0, 25.0, 40.0, 100.0, 400.0);

    private final EcfsClient client;
    private final WriteConstants constants = WritePresets.ECFS.constants();

    WritesApi(EcfsClient client) {
        this.client = client;
    }

    /** {@code ecfs admin writes --json}, with advice for each policy. */
    @GetMapping
    ResponseEntity<byte[]> writes() throws IOException {
        WriteReport report = Await.result(client.admin().writes());
        ObjectNode json = Json.node(report);
        json.setAll(Answers.list(
                "advice", EncodingAdvice.of(report).stream().map(Json::node).toList()));
        return Answers.json(json);
    }

    /**
     * {@code ecfs model write --json} of one policy on links of 1 to 400 Gb/s, for files of 1 GiB.
     *
     * @param clients that write at the same time
     * @param datanodes 0: as many as a group has chunks
     */
    @GetMapping("/forecast")
    ResponseEntity<byte[]> forecast(
            @RequestParam String policy,
            @RequestParam(defaultValue = "1") int clients,
            @RequestParam(defaultValue = "0") int datanodes) {
        Policy coded = Policy.parse(policy);
        WriteSystem system = new WriteSystem(
                clients,
                datanodes == 0 ? coded.chunks() : datanodes,
                ForecastDefaults.window(),
                ForecastDefaults.CORES,
                ForecastDefaults.DISK_BYTES_PER_SECOND);
        return Answers.json(Answers.list(
                "networks",
                NETWORKS.stream()
                        .map(gigabits -> new WriteQuestion(
                                coded,
                                Network.ofGigabits(gigabits, ForecastDefaults.LATENCY_NANOS),
                                system,
                                ForecastDefaults.FILE_BYTES,
                                coded.stripeBytes()))
                        .map(question -> Json.node(WriteForecastView.of(question, constants)))
                        .toList()));
    }
}
