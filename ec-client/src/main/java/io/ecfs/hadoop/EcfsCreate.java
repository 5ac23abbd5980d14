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
 * HdfsDataOutputStreamBuilder.ecPolicyName), {@value #PACKED} whether it may share a group with others.
 */
public final class EcfsCreate extends FSDataOutputStreamBuilder<FSDataOutputStream, EcfsCreate> {
    /** Name of a policy; without it the directory's. */
    public static final String POLICY = "fs.ecfs.create.policy";

    /** {@code true} or {@code false}; without it as the client is configured ({@code fs.ecfs.client.pack.on}). */
    public static final String PACKED = "fs.ecfs.create.packed";

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
        rejectUnknownMandatoryKeys(Set.of(POLICY, PACKED), "for " + getPath());
        if (getFlags().contains(CreateFlag.APPEND)) {
            return files.append(getPath(), getBufferSize(), getProgress());
        }
        Optional<Policy> policy = Optional.ofNullable(getOptions().get(POLICY)).map(Policy::parse);
        Optional<Boolean> packed = Optional.ofNullable(getOptions().get(PACKED)).map(EcfsCreate::flag);
        return files.create(
                getPath(), files.masked(getPermission()), getFlags(), isRecursive(), policy, packed, getProgress());
    }

    private static boolean flag(String text) {
        return switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException(PACKED + " is true or false, not '" + text + "'");
        };
    }
}
