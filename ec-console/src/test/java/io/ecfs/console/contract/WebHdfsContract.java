package io.ecfs.console.contract;

import java.io.IOException;
import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.contract.AbstractFSContract;

/** What is true of ECFS by WebHDFS where Hadoop leaves a choice: contract/webhdfs.xml. */
final class WebHdfsContract extends AbstractFSContract {
    WebHdfsContract(Configuration configuration) {
        super(configure(configuration));
        addConfResource("contract/webhdfs.xml");
    }

    private static Configuration configure(Configuration configuration) {
        configuration.set(
                FileSystem.FS_DEFAULT_NAME_KEY, SharedCluster.webHdfs().toString());
        return configuration;
    }

    @Override
    public FileSystem getFileSystem(URI uri) throws IOException {
        return super.getFileSystem(SharedCluster.guarded(uri));
    }

    @Override
    public FileSystem getTestFileSystem() throws IOException {
        return getFileSystem(SharedCluster.webHdfs());
    }

    @Override
    public String getScheme() {
        return SharedCluster.webHdfs().getScheme();
    }

    @Override
    public Path getTestPath() {
        return new Path("/contract");
    }
}
