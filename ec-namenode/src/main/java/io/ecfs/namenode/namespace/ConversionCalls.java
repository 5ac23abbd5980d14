package io.ecfs.namenode.namespace;

import io.ecfs.dispatch.HandlerTable;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.namespace.NamespaceRequest.ControlConversion;
import io.ecfs.message.namespace.NamespaceRequest.ConvertFiles;
import io.ecfs.message.namespace.NamespaceRequest.Mutation;
import io.ecfs.message.report.ClusterEvent;
import io.ecfs.message.report.Conversion;
import io.ecfs.message.report.Conversion.State;
import io.ecfs.namenode.command.Command;
import io.ecfs.namenode.command.CommandResult;
import io.ecfs.namenode.group.ConversionFacts;
import io.ecfs.namenode.group.Conversions;
import io.ecfs.namenode.history.History;
import io.ecfs.namenode.namespace.inode.Inode;
import io.ecfs.namenode.namespace.inode.Inodes;
import io.ecfs.namenode.namespace.path.Paths;
import io.ecfs.namenode.namespace.path.Permissions;
import io.ecfs.namenode.store.KeyValueStore.Transaction;
import java.util.List;
import java.util.Optional;

/** Begins, pauses, resumes and cancels conversions of files, and records what their leader has done of them. */
final class ConversionCalls {
    static final HandlerTable<Mutation, Scope, CommandResult> HANDLERS =
            HandlerTable.<Mutation, Scope, CommandResult>builder()
                    .on(ConvertFiles.class, ConversionCalls::begin)
                    .on(ControlConversion.class, ConversionCalls::control)
                    .build();

    /** Conversions of one user that go on, or are paused, at most; the superuser may have more. */
    private static final int MOST_OF_A_USER = 10;

    private ConversionCalls() {}

    private static CommandResult begin(Scope scope, ConvertFiles call) throws EcfsException {
        Inode top = scope.resolve(call.path()).target();
        scope.permissions().checkOwner(top, call.path());
        scope.permissions().check(top, Permissions.Access.WRITE, call.path());
        if (top.body() instanceof Inode.File file) {
            ExtentCalls.requireNoPatches(file, call.path());
        }
        List<ConversionFacts> going = Conversions.all(scope.transaction()).stream()
                .filter(facts -> !facts.known().state().ended())
                .toList();
        if (going.size() >= Conversions.MOST) {
            throw new EcfsException(
                    ErrorCode.BUSY, going.size() + " conversions go on already: wait until one of them has ended");
        }
        long own = going.stream()
                .filter(facts -> facts.known().user().equals(scope.user()))
                .count();
        if (own >= MOST_OF_A_USER && !scope.permissions().superuser()) {
            throw new EcfsException(
                    ErrorCode.BUSY,
                    own + " conversions of yours go on, or are paused: wait until one has ended, or cancel one");
        }
        for (ConversionFacts other : going) {
            if (!call.dryRun() && !other.known().dryRun()) {
                requireApart(scope.transaction(), top, other);
            }
        }
        Conversion begun = Conversion.begun(
                Conversions.nextJob(scope.transaction()),
                call.path(),
                call.policy(),
                scope.user(),
                call.dryRun(),
                scope.now());
        Conversions.put(
                scope.transaction(),
                new ConversionFacts(top.id(), scope.permissions().superuser(), begun));
        if (!call.dryRun()) {
            record(
                    scope.transaction(),
                    scope.now(),
                    begun,
                    scope.call().caller().who());
        }
        return new CommandResult.ConversionBegun(begun.job());
    }

    /** Compares by inode, so renames do not matter. */
    private static void requireApart(Transaction transaction, Inode top, ConversionFacts other) throws EcfsException {
        Optional<Inode> others = Inodes.find(transaction, other.top());
        Conversion known = other.known();
        if (others.isPresent()
                && (Paths.within(transaction, top, other.top()) || Paths.within(transaction, others.get(), top.id()))) {
            throw new EcfsException(
                    ErrorCode.ALREADY_EXISTS,
                    Paths.find(transaction, others.get()).orElse(known.path()) + " is being converted to "
                            + known.policy() + " already (conversion " + known.job()
                            + "): wait for its end, or cancel it");
        }
    }

    private static CommandResult control(Scope scope, ControlConversion call) throws EcfsException {
        ConversionFacts facts = Conversions.find(scope.transaction(), call.job())
                .filter(found ->
                        scope.permissions().superuser() || found.known().user().equals(scope.user()))
                .orElseThrow(() -> new EcfsException(
                        ErrorCode.NOT_FOUND,
                        "there is no conversion " + call.job() + " of yours: 'ecfs ec conversions' lists them"));
        Conversion known = facts.known();
        if (known.state().ended()) {
            throw new EcfsException(
                    ErrorCode.INVALID_ARGUMENT, "conversion " + call.job() + " has ended: it is " + known.state());
        }
        State next = switch (call.control()) {
            case PAUSE -> State.PAUSED;
            case RESUME -> known.state() == State.PAUSED ? State.RUNNING : known.state();
            case CANCEL -> State.CANCELLED;
        };
        if (next != known.state()) {
            Conversion changed = known.in(next, scope.now());
            Conversions.put(scope.transaction(), facts.with(changed));
            record(
                    scope.transaction(),
                    scope.now(),
                    changed,
                    scope.call().caller().who());
        }
        return new CommandResult.Done();
    }

    /** Records progress or the end of a conversion, unless it has ended; a paused one stays paused until its end. */
    static CommandResult record(Transaction transaction, Command.RecordConversion command) {
        Optional<ConversionFacts> found = Conversions.find(transaction, command.job())
                .filter(facts -> !facts.known().state().ended());
        found.ifPresent(facts -> {
            State state = command.end().orElse(facts.known().state());
            Conversion changed =
                    facts.known().in(state, command.nowMillis()).with(command.progress(), command.firstFailure());
            Conversions.put(transaction, facts.with(changed));
            if (state.ended() && !changed.dryRun()) {
                record(transaction, command.nowMillis(), changed, changed.user());
            }
        });
        return new CommandResult.Done();
    }

    private static void record(Transaction transaction, long nowMillis, Conversion known, String who) {
        History.record(
                transaction,
                nowMillis,
                new ClusterEvent.ConversionChanged(
                        known.path().text(),
                        known.job(),
                        known.policy().name(),
                        known.state(),
                        known.progress().converted(),
                        known.progress().failed(),
                        who));
    }
}
