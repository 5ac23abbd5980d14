package io.ecfs.client.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.client.Bytes;
import io.ecfs.client.ClusterTest;
import io.ecfs.client.base.ClientConfig;
import io.ecfs.client.read.batch.FileRange;
import io.ecfs.client.read.batch.RangeResult;
import io.ecfs.layout.Policy;
import io.ecfs.message.FilePath;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/** Tests of many ranges of many files in one request. */
abstract class JointReads extends ClusterTest {
    static final Policy POLICY = Policy.parse("rs-2-2-64k");

    private final Map<FilePath, Long> lengths = new HashMap<>();

    @Override
    protected void start(int datanodes, ClientConfig config) {
        super.start(datanodes, config.with("plan.on=on"));
    }

    FilePath file(int number, Policy policy, long length) throws IOException {
        FilePath path = new FilePath("/file-" + number);
        write(path, policy, length);
        lengths.put(path, length);
        return path;
    }

    void requireRight(RangeResult result) {
        FileRange range = result.range();
        long length = lengths.get(range.path());
        assertThat(result).isInstanceOf(RangeResult.Read.class);
        assertThat(Bytes.of(((RangeResult.Read) result)
                        .bytes()
                        .duplicate()
                        .position(((RangeResult.Read) result).bytes().limit())))
                .as("%s of %d bytes", range, length)
                .isEqualTo(Bytes.range(Math.min(range.from(), length), Math.min(range.to(), length)));
    }
}
