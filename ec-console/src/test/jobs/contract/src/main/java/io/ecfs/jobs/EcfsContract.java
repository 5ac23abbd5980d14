package io.ecfs.jobs;

import java.io.IOException;
import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.contract.AbstractFSContract;

/** Answers of ECFS where Hadoop leaves a choice: the {@code contract/ecfs.xml} of the suites of Hadoop 3.5.0. */
final class EcfsContract extends AbstractFSContract {
    private static final String SCHEME = "ecfs";

    EcfsContract(Configuration configuration) {
        super(configuration);
        addConfResource("contract/ecfs.xml");
    }

    /** The default file system of {@code core-site.xml}. */
    static URI uri() {
        return guarded(FileSystem.getDefaultUri(new Configuration()));
    }

    /**
     * @throws IllegalArgumentException for a file system that is not ours: these suites delete and rename all that it
     *     has
     */
    static URI guarded(URI uri) {
        if (!SCHEME.equals(uri.getScheme())) {
            throw new IllegalArgumentException("these suites destroy the file system that they run on, so they run on"
                    + " nothing but " + SCHEME + "://, not on " + uri);
        }
        return uri;
    }

    @Override
    public FileSystem getFileSystem(URI uri) throws IOException {
        return super.getFileSystem(guarded(uri));
    }

    @Override
    public FileSystem getTestFileSystem() throws IOException {
        return getFileSystem(uri());
    }

    @Override
    public String getScheme() {
        return SCHEME;
    }

    @Override
    public Path getTestPath() {
        return new Path("/contract");
    }
}
