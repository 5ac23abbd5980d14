package io.ecfs.namenode.rpc;

import io.ecfs.layout.Policy;
import java.util.List;
import java.util.stream.Stream;

/**
 * The policies that operators are offered, of every family one at least; any other that can be parsed may be set as
 * well. HDFS has the first five.
 */
final class StandardPolicies {
    private static final List<String> NAMES = List.of(
            "rs-6-3-1024k",
            "rs-3-2-1024k",
            "rs-10-4-1024k",
            "xor-2-1-1024k",
            "replication-3",
            "rs-2-2-64k",
            "rs-4-2-1024k",
            "rs-8-3-1024k",
            "rs-van-6-3-1024k",
            "lrc-6-2-2-1024k",
            "lrc-12-2-2-1024k",
            "clay-4-2-5-1024k",
            "clay-6-3-8-1024k",
            "crs-6-3-1024k",
            "liberation-6-2-1024k",
            "shec-6-3-2-1024k");

    private StandardPolicies() {}

    /** The cluster's own default first, each once. */
    static List<Policy> list(Policy defaultPolicy) {
        return Stream.concat(Stream.of(defaultPolicy), NAMES.stream().map(Policy::parse))
                .distinct()
                .toList();
    }
}
