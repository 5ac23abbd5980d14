package io.ecfs.jobs;

import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.flink.api.common.serialization.SimpleStringEncoder;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimiterStrategy;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.connector.file.sink.FileSink;
import org.apache.flink.core.fs.Path;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.filesystem.rollingpolicies.OnCheckpointRollingPolicy;

/**
 * {@code CheckpointedCounts CHECKPOINTS OUTPUT RECORDS}: counts the records of ten keys in RocksDB, with checkpoints,
 * and writes each record with its count to files.
 */
public final class CheckpointedCounts {
    private static final long KEYS = 10;

    private CheckpointedCounts() {}

    /** The count of a key so far, in the state that checkpoints save. */
    private static final class Count extends RichMapFunction<Long, String> {
        private transient ValueState<Long> count;

        @Override
        public void open(org.apache.flink.api.common.functions.OpenContext context) {
            count = getRuntimeContext().getState(new ValueStateDescriptor<>("count", Types.LONG));
        }

        @Override
        public String map(Long number) throws Exception {
            long next = count.value() == null ? 1 : count.value() + 1;
            count.update(next);
            if (number % 500 == 0) {
                System.out.println("record " + number);
            }
            return number + " " + number % KEYS + " " + next;
        }
    }

    public static void main(String[] arguments) throws Exception {
        long records = Long.parseLong(arguments[2]);
        Configuration configuration = new Configuration();
        configuration.setString("state.backend.type", "rocksdb");
        configuration.setString("execution.checkpointing.interval", "500ms");
        configuration.setString("execution.checkpointing.incremental", "true");
        configuration.setString("execution.checkpointing.dir", arguments[0]);
        configuration.setString("restart-strategy.type", "fixed-delay");
        configuration.setString("restart-strategy.fixed-delay.attempts", "20");
        configuration.setString("restart-strategy.fixed-delay.delay", "1s");
        StreamExecutionEnvironment env = StreamExecutionEnvironment.createLocalEnvironment(1, configuration);
        env.fromSource(
                        new DataGeneratorSource<>(
                                number -> number, records, RateLimiterStrategy.perSecond(200), Types.LONG),
                        WatermarkStrategy.noWatermarks(),
                        "numbers")
                .keyBy(number -> number % KEYS)
                .map(new Count())
                .sinkTo(FileSink.forRowFormat(new Path(arguments[1]), new SimpleStringEncoder<String>())
                        .withRollingPolicy(OnCheckpointRollingPolicy.build())
                        .build());
        env.execute("checkpointed counts");
        System.out.println("finished " + records);
    }
}
