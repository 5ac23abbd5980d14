"""counts.py OUTPUT RECORDS: counts the records of ten keys in state that checkpoints save, and writes each record with
its count to files.
"""
import sys

from pyflink.common import Encoder, Types
from pyflink.datastream import StreamExecutionEnvironment
from pyflink.datastream.connectors.file_system import FileSink, RollingPolicy
from pyflink.datastream.functions import MapFunction, RuntimeContext
from pyflink.datastream.state import ValueStateDescriptor
from pyflink.table import StreamTableEnvironment

KEYS = 10


class Count(MapFunction):
    """The count of a key so far."""

    def open(self, context: RuntimeContext):
        self.count = context.get_state(ValueStateDescriptor("count", Types.LONG()))

    def map(self, row):
        number = row[0]
        count = (self.count.value() or 0) + 1
        self.count.update(count)
        return f"{number} {number % KEYS} {count}"


def main(output, records):
    env = StreamExecutionEnvironment.get_execution_environment()
    env.set_parallelism(1)
    tables = StreamTableEnvironment.create(env)
    tables.execute_sql(
        "CREATE TABLE numbers (number BIGINT) WITH ('connector' = 'datagen', 'rows-per-second' = '200',"
        " 'fields.number.kind' = 'sequence', 'fields.number.start' = '0',"
        f" 'fields.number.end' = '{int(records) - 1}')"
    )
    numbers = tables.to_data_stream(tables.from_path("numbers"))
    numbers.key_by(lambda row: row[0] % KEYS, key_type=Types.LONG()).map(Count(), output_type=Types.STRING()).sink_to(
        FileSink.for_row_format(output, Encoder.simple_string_encoder())
        .with_rolling_policy(RollingPolicy.on_checkpoint_rolling_policy())
        .build()
    )
    env.execute("counts")
    print("finished", records, flush=True)


main(*sys.argv[1:])
