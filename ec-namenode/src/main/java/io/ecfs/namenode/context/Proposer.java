package io.ecfs.namenode.context;

import io.ecfs.env.Scheduler;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.namenode.command.Command;
import io.ecfs.namenode.command.CommandResult;
import io.ecfs.namenode.entry.CommandCodec;
import io.ecfs.namenode.log.LogIdentity;
import io.ecfs.namenode.log.MetadataLog;
import io.ecfs.namenode.log.MetadataLog.LocalRead;
import io.ecfs.wire.Futures;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.IntSupplier;

/** Proposes commands to the log and reads what it confirms; outcomes come back on the namenode's event thread. */
public final class Proposer {
    private final MetadataLog log;
    private final CommandCodec codec;
    private final Scheduler scheduler;
    private final IntSupplier levelInForce;

    public Proposer(MetadataLog log, CommandCodec codec, Scheduler scheduler, IntSupplier levelInForce) {
        this.log = log;
        this.codec = codec;
        this.scheduler = scheduler;
        this.levelInForce = levelInForce;
    }

    /** The log that commands go to; empty for one that was not formatted. */
    public Optional<LogIdentity> log() {
        return log.identity();
    }

    /** The feature level up to which this release writes. */
    public int level() {
        return codec.level();
    }

    /**
     * Passes the outcome on the event thread: the result of the command, or the failure of {@link MetadataLog#propose},
     * or the refusal as an {@link EcfsException}. A command that takes a higher feature level than the one in force
     * does not get into the log: a namenode of an earlier release would have to stop at it. Levels only grow, so that
     * it cannot become too high on its way.
     */
    public void propose(Command command, Consumer<Outcome<CommandResult>> outcome) {
        byte[] encoded = codec.encode(command);
        Optional<EcfsException> unreadable = unreadable(encoded);
        if (unreadable.isPresent()) {
            scheduler.execute(() -> outcome.accept(new Outcome.Failed<>(unreadable.get())));
            return;
        }
        int needed = CommandCodec.levelOf(encoded);
        if (needed > levelInForce.getAsInt() && !command.raisesLevel()) {
            EcfsException refused = new EcfsException(
                    ErrorCode.UNSUPPORTED,
                    "this takes feature level " + needed + ", in force is " + levelInForce.getAsInt()
                            + ": 'ecfs admin finalize-upgrade' raises it");
            scheduler.execute(() -> outcome.accept(new Outcome.Failed<>(refused)));
            return;
        }
        CompletableFuture<?> unused = log.propose(encoded)
                .whenComplete((bytes, failure) -> scheduler.execute(() -> outcome.accept(
                        failure == null ? outcomeOf(bytes) : new Outcome.Failed<>(Futures.cause(failure)))));
    }

    /**
     * An entry that cannot be decoded would stop every namenode that comes to it: it is rejected here, and stops none.
     */
    private Optional<EcfsException> unreadable(byte[] encoded) {
        try {
            codec.command(encoded);
            return Optional.empty();
        } catch (EcfsException e) {
            return Optional.of(new EcfsException(
                    ErrorCode.INTERNAL, "not logged, since no namenode could read the entry: " + e.getMessage(), e));
        }
    }

    /**
     * Passes on the event thread the facts as a majority confirms them, or the failure of {@link MetadataLog#read}.
     */
    public <T> void read(LocalRead<T> read, Consumer<Outcome<T>> outcome) {
        CompletableFuture<?> unused = log.read(read)
                .whenComplete((result, failure) -> scheduler.execute(() -> outcome.accept(
                        failure == null ? new Outcome.Done<>(result) : new Outcome.Failed<>(Futures.cause(failure)))));
    }

    private Outcome<CommandResult> outcomeOf(byte[] bytes) {
        try {
            CommandResult result = codec.applied(bytes);
            return result instanceof CommandResult.Refused refused
                    ? new Outcome.Failed<>(new EcfsException(refused.code(), refused.message()))
                    : new Outcome.Done<>(result);
        } catch (EcfsException e) {
            return new Outcome.Failed<>(e);
        }
    }
}
