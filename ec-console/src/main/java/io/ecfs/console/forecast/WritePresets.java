package io.ecfs.console.forecast;

import io.ecfs.error.EcfsException;
import io.ecfs.plan.write.Calibration;
import io.ecfs.plan.write.WriteConstants;
import io.ecfs.plan.write.WriteSample;
import java.util.List;

/** Constants of writes that come with the program. */
public enum WritePresets {
    /** Calibrated from measured writes of this file system; the resource says where and when. */
    ECFS {
        @Override
        public WriteConstants constants() {
            String resource = "ecfs-writes.csv";
            try {
                List<WriteSample> writes =
                        SampleFile.parse(resource, text(resource).lines().toList(), 0);
                return Calibration.of(writes, ESTIMATE.constants()).constants();
            } catch (EcfsException e) {
                throw new IllegalStateException("the resource is damaged: " + e.getMessage(), e);
            }
        }
    },
    /** This file system on machines of their own, estimated from processor times. */
    ESTIMATE {
        @Override
        public WriteConstants constants() {
            return WriteConstants.parse(text("estimate.csv"));
        }
    },
    /** The hardware and the file system of Kim et al., fitted to their tables. */
    PAPER {
        @Override
        public WriteConstants constants() {
            return WriteConstants.parse(text("paper.csv"));
        }
    };

    public abstract WriteConstants constants();

    /** The latency of the network is in the constants: none is added. */
    public boolean includesLatency() {
        return this == PAPER;
    }

    /** Seconds of the five steps for 50,000 records, by table, network and record: the paper's tables 1 to 3. */
    public static String paperTables() {
        return text("paper-tables.csv");
    }

    private static String text(String resource) {
        return ResourceText.of(WriteConstants.class, resource);
    }
}
