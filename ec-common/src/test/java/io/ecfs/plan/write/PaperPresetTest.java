package io.ecfs.plan.write;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.layout.WriteSide;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The constants of the paper's hardware against every cell of its tables 1 to 3. */
class PaperPresetTest {
    private static final double NANOS_OF_50000_SECONDS = 1e9 / 50_000;
    private static final int FOUR_K = 4096;
    private static final int SIXTY_FOUR_K = 65_536;

    private record Cell(String table, int gigabits, int record, WriteStep step, double seconds) {
        double allowed() {
            return step == WriteStep.MP && record == SIXTY_FOUR_K ? 0.30 : 0.15;
        }

        double error(WriteConstants constants) {
            double predicted = new WriteCost(
                                    constants,
                                    WriteShape.ofOneStripe(WriteSide.MASTER, 4, 2, record),
                                    Network.ofGigabits(gigabits, 0))
                            .nanos(step)
                    / NANOS_OF_50000_SECONDS;
            return predicted / seconds - 1;
        }
    }

    private static String resource(String name) throws IOException {
        try (InputStream in = WriteConstants.class.getResourceAsStream(name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static List<Cell> cells() throws IOException {
        List<Cell> cells = new ArrayList<>();
        CsvLines.read(resource("paper-tables.csv").lines().toList(), fields -> {
            int column = 3;
            for (WriteStep step : WriteStep.values()) {
                cells.add(new Cell(
                        fields.get(0),
                        Integer.parseInt(fields.get(1)),
                        Integer.parseInt(fields.get(2)),
                        step,
                        Double.parseDouble(fields.get(column++))));
            }
        });
        return cells;
    }

    @Test
    void theTablesHaveAllTheirCells() throws IOException {
        assertThat(cells()).hasSize(25 + 25 + 15);
    }

    @Test
    void everyCellFrom16KOnIsGivenBack() throws IOException {
        WriteConstants constants = WriteConstants.parse(resource("paper.csv"));
        for (Cell cell : cells()) {
            if (cell.record() > FOUR_K) {
                assertThat(Math.abs(cell.error(constants))).as("%s", cell).isLessThanOrEqualTo(cell.allowed());
            }
        }
    }

    @Test
    void straightLinesMissDistributionAt4K() throws IOException {
        WriteConstants constants = WriteConstants.parse(resource("paper.csv"));
        for (Cell cell : cells()) {
            if (cell.record() == FOUR_K && cell.step() == WriteStep.DD) {
                assertThat(cell.error(constants)).as("%s", cell).isBetween(0.25, 0.6);
            }
        }
    }
}
