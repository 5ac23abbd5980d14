"""commits.py PLACE [COMMITS]: rows of Parquet, Delta Lake and Iceberg, as many commits of each.

Without COMMITS the tables are read: commits, rows, and the sum of what a Python function computed.
"""
import sys

from pyspark.sql import SparkSession
from pyspark.sql.functions import count, countDistinct, lit, sum, udf
from pyspark.sql.types import LongType

ROWS = 1000


@udf(LongType())
def square(number):
    return number * number


def append(spark, place, commit):
    rows = (
        spark.range(ROWS)
        .withColumn("square", square("id"))
        .withColumn("commit", lit(commit))
    )
    rows.write.mode("append").partitionBy("commit").parquet(place + "/parquet")
    rows.write.mode("append").format("delta").save(place + "/delta")
    rows.writeTo("lake.shop.events").append()


def tables(spark, place):
    return {
        "parquet": spark.read.parquet(place + "/parquet"),
        "delta": spark.read.format("delta").load(place + "/delta"),
        "iceberg": spark.table("lake.shop.events"),
    }


def main(place, commits=None):
    spark = SparkSession.builder.appName("commits").getOrCreate()
    if commits is None:
        for name, table in tables(spark, place).items():
            row = table.agg(countDistinct("commit"), count("id"), sum("square")).first()
            print("table", name, *row, flush=True)
        return
    spark.sql(
        "CREATE TABLE IF NOT EXISTS lake.shop.events (id BIGINT, square BIGINT, commit INT)"
        " USING iceberg"
    )
    for commit in range(int(commits)):
        append(spark, place, commit)
        print("committed", commit, flush=True)


main(*sys.argv[1:])
