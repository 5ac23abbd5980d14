package io.ecfs.bench.exstorus.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.console.forecast.WritePresets;
import io.ecfs.env.real.RealEnvironment;
import io.ecfs.layout.EncodingSide;
import io.ecfs.layout.WriteSide;
import io.ecfs.message.report.WriteShare;
import io.ecfs.plan.write.Network;
import io.ecfs.plan.write.WritePart;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Small writes over limited links; each is read back and compared, so one that returns has written right. */
@Timeout(300)
class WriteClusterTest {
    private static final WriteMix MIX = WriteMix.ofThePaper(131_072, 40);
    private static final double GIGABIT_BYTES = 125e6;

    @TempDir
    private static Path directory;

    private static WriteCluster cluster;

    @BeforeAll
    static void start() throws IOException {
        RealPlan plan = new RealPlan(
                WritePresets.ESTIMATE.constants(),
                List.of(1.0),
                20_000,
                List.of(131_072L),
                OptionalInt.empty(),
                List.of(WriteSide.values()),
                4,
                true,
                1,
                true,
                Optional.of(directory),
                List.of(
                        "datanode.store.reserveBytes=1m",
                        "namenode.settings.minFreeBytes=1m",
                        "namenode.settings.garbage.delay=0s"));
        cluster = WriteCluster.start(plan, 6, RealEnvironment.open(), (ready, of, waitingFor) -> {});
    }

    @AfterAll
    static void end() {
        cluster.close();
    }

    private static WriteRun write(EncodingSide side, int window) throws IOException {
        return cluster.write(MIX, side, window, Optional.of(Network.ofGigabits(1, 20_000)));
    }

    private static List<WriteSide> encoders(WriteRun run) {
        return run.shares().stream().map(WriteShare::side).distinct().toList();
    }

    @Test
    void theSideThatIsAskedForEncodesAndNoLinkIsFasterThanItsRate() throws IOException {
        for (int window : new int[] {1, 4}) {
            WriteRun client = write(EncodingSide.CLIENT, window);
            assertThat(encoders(client)).containsExactly(WriteSide.CLIENT);
            assertThat(client.clientBytesPerByte()).isBetween(1.5, 1.6);
            assertThat(client.seconds()).isGreaterThan(1.5 * MIX.bytes() / GIGABIT_BYTES);
            assertThat(client.nanos(WritePart.TRANSFERRING)).isZero();
            if (window == 1) {
                oneStripeUnderWayTakesTheSumOfItsSteps(client);
            }

            WriteRun master = write(EncodingSide.MASTER, window);
            assertThat(encoders(master)).containsExactly(WriteSide.MASTER);
            assertThat(master.clientBytesPerByte()).isBetween(1.0, 1.1);
            assertThat(master.seconds()).isGreaterThan(1.25 * MIX.bytes() / GIGABIT_BYTES);
            assertThat(master.nanos(WritePart.TRANSFERRING)).isPositive();
        }
    }

    private static void oneStripeUnderWayTakesTheSumOfItsSteps(WriteRun run) {
        long elapsed = run.shares().stream().mapToLong(WriteShare::elapsed).sum();
        assertThat(elapsed).as("stripes do not overlap").isLessThanOrEqualTo((long) (run.seconds() * 1e9));
        assertThat(run.sumNanos()).isLessThanOrEqualTo(run.elapsedNanos());
    }
}
