package io.ecfs.jobs;

import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hive.metastore.HiveMetaStoreClient;
import org.apache.hadoop.hive.metastore.IMetaStoreClient;
import org.apache.hadoop.hive.metastore.TableType;
import org.apache.hadoop.hive.metastore.api.Database;
import org.apache.hadoop.hive.metastore.api.FieldSchema;
import org.apache.hadoop.hive.metastore.api.Partition;
import org.apache.hadoop.hive.metastore.api.SerDeInfo;
import org.apache.hadoop.hive.metastore.api.StorageDescriptor;
import org.apache.hadoop.hive.metastore.api.Table;
import org.apache.hadoop.hive.metastore.conf.MetastoreConf;

/**
 * {@code HiveTables WAREHOUSE DERBY PARTITIONS}: a metastore in this process, with its own database in Derby and its
 * warehouse on a file system. Adds partitions with a file each to a table, renames the table, and drops one partition.
 */
public final class HiveTables {
    private static final String DATABASE = "shop";

    private HiveTables() {}

    public static void main(String[] arguments) throws Exception {
        String warehouse = arguments[0];
        int partitions = Integer.parseInt(arguments[2]);
        Configuration conf = MetastoreConf.newMetastoreConf();
        MetastoreConf.setVar(conf, MetastoreConf.ConfVars.WAREHOUSE, warehouse);
        MetastoreConf.setVar(conf, MetastoreConf.ConfVars.WAREHOUSE_EXTERNAL, warehouse);
        MetastoreConf.setVar(
                conf, MetastoreConf.ConfVars.CONNECT_URL_KEY, "jdbc:derby:" + arguments[1] + ";create=true");
        MetastoreConf.setBoolVar(conf, MetastoreConf.ConfVars.AUTO_CREATE_ALL, true);
        MetastoreConf.setBoolVar(conf, MetastoreConf.ConfVars.SCHEMA_VERIFICATION, false);
        IMetaStoreClient metastore = new HiveMetaStoreClient(conf);
        try {
            metastore.createDatabase(new Database(DATABASE, "", null, new HashMap<>()));
            metastore.createTable(table("arrivals"));
            Table table = metastore.getTable(DATABASE, "arrivals");
            for (int day = 0; day < partitions; day++) {
                add(metastore, conf, table, day);
                System.out.println("partition " + day);
            }
            Table renamed = new Table(table);
            renamed.setTableName("events");
            metastore.alter_table(DATABASE, "arrivals", renamed);
            metastore.dropPartition(DATABASE, "events", List.of("0"), true);
            for (Partition partition : metastore.listPartitions(DATABASE, "events", (short) -1)) {
                System.out.println("location " + partition.getSd().getLocation());
            }
            System.out.println(
                    "finished " + metastore.getTable(DATABASE, "events").getSd().getLocation());
        } finally {
            metastore.close();
        }
        System.exit(0); // threads of the metastore go on
    }

    private static Table table(String name) {
        StorageDescriptor storage = new StorageDescriptor();
        storage.setCols(new ArrayList<>(List.of(new FieldSchema("id", "int", ""))));
        storage.setInputFormat("org.apache.hadoop.mapred.TextInputFormat");
        storage.setOutputFormat("org.apache.hadoop.hive.ql.io.HiveIgnoreKeyTextOutputFormat");
        storage.setSerdeInfo(
                new SerDeInfo(name, "org.apache.hadoop.hive.serde2.lazy.LazySimpleSerDe", new HashMap<>()));
        Table table = new Table();
        table.setDbName(DATABASE);
        table.setTableName(name);
        table.setTableType(TableType.MANAGED_TABLE.name());
        table.setSd(storage);
        table.setPartitionKeys(new ArrayList<>(List.of(new FieldSchema("day", "string", ""))));
        table.setParameters(new HashMap<>());
        return table;
    }

    /** The metastore makes the partition's directory. */
    private static void add(IMetaStoreClient metastore, Configuration conf, Table table, int day) throws Exception {
        StorageDescriptor storage = new StorageDescriptor(table.getSd());
        storage.setLocation(table.getSd().getLocation() + "/day=" + day);
        Partition partition = new Partition(
                new ArrayList<>(List.of("" + day)), DATABASE, table.getTableName(), 0, 0, storage, new HashMap<>());
        metastore.add_partition(partition);
        Path file = new Path(storage.getLocation(), "part-0");
        FileSystem files = file.getFileSystem(conf);
        try (OutputStream out = files.create(file)) {
            out.write((day + "\n").getBytes(StandardCharsets.UTF_8));
        }
    }
}
