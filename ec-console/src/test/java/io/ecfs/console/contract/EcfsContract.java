package io.ecfs.console.contract;

import io.ecfs.client.ClusterUri;
import java.io.IOException;
import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.contract.AbstractFSContract;

/** What is true of ECFS where Hadoop leaves a choice: contract/ecfs.xml. */
final class EcfsContract extends AbstractFSContract {
    EcfsContract(Configuration configuration) {
        super(SharedCluster.configure(configuration));
        addConfResource("contract/ecfs.xml");
    }

    @Override
    public FileSystem getFileSystem(URI uri) throws IOException {
        return super.getFileSystem(SharedCluster.guarded(uri));
    }

    @Override
    public FileSystem getTestFileSystem() throws IOException {
        return getFileSystem(SharedCluster.uri());
    }

    @Override
    public String getScheme() {
        return ClusterUri.SCHEME;
    }

    @Override
    public Path getTestPath() {
        return new Path("/contract");
    }
}
