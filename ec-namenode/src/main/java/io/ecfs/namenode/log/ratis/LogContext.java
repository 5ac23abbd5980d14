package io.ecfs.namenode.log.ratis;

import io.ecfs.env.Environment;
import io.ecfs.message.Address;
import io.ecfs.namenode.log.ratis.checkpoint.SnapshotSource;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/** Dependencies of a log. */
public record LogContext(
        Environment environment,
        Function<String, Optional<Address>> clientAddress,
        SnapshotSource peers,
        Consumer<Throwable> onFailure) {}
