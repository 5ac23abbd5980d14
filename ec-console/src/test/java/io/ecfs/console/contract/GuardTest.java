package io.ecfs.console.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@Tag("contract")
@ExtendWith(SharedCluster.class)
class GuardTest {
    @Test
    void suitesGetNoFileSystemButOurs() {
        EcfsContract contract = new EcfsContract(new Configuration());
        for (String other :
                new String[] {"file:///", "hdfs://nn:8020/", "s3a://bucket/", "webhdfs://127.0.0.1:9/", "/"}) {
            assertThrows(IllegalArgumentException.class, () -> contract.getFileSystem(URI.create(other)), other);
        }
    }

    @Test
    void suitesFindOursAlsoWhereTheyNameNone() {
        assertEquals(
                SharedCluster.uri().toString(), SharedCluster.configuration().get("fs.defaultFS"));
    }
}
