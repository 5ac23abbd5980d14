package io.ecfs.hadoop;

import io.ecfs.layout.Policy;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FSDataOutputStreamBuilder;
import org.apache.hadoop.fs.Path;

/**
 * A new file step by step; the option {@value #POLICY} says how it is coded (HDFS:
 * HdfsDataOutputStreamBuilder.ecPolicyName).
 */
public final class EcfsCreate extends FSDataOutputStreamBuilder<FSDataOutputStream, EcfsCreate> {
    /** Name of a policy; without it the directory's. */
    public static final String POLICY = "fs.ecfs.create.policy";

    private final StreamFileSystem files;

    EcfsCreate(StreamFileSystem files, Path path) {
        super(files, path);
        this.files = files;
    }

    @Override
    public EcfsCreate getThisBuilder() {
        return this;
    }

    /** As {@code must(POLICY, name)}. */
    public EcfsCreate policy(String name) {
        return must(POLICY, name);
    }

    @Override
    public FSDataOutputStream build() throws IOException {
        rejectUnknownMandatoryKeys(Set.of(POLICY), "for " + getPath());
        if (getFlags().contains(CreateFlag.APPEND)) {
            return files.append(getPath(), getBufferSize(), getProgress());
        }
        Optional<Policy> policy = Optional.ofNullable(getOptions().get(POLICY)).map(Policy::parse);
        return files.create(getPath(), files.masked(getPermission()), getFlags(), isRecursive(), policy, getProgress());
    }
}
