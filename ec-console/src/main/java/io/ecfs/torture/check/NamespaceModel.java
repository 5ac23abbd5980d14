package io.ecfs.torture.check;

import io.ecfs.dispatch.FunctionTable;
import io.ecfs.error.ErrorCode;
import io.ecfs.torture.history.Answer;
import io.ecfs.torture.history.Call;
import io.ecfs.torture.history.Operation;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * What one call does to one state. Deterministic but for what its answer says: a successful call leaves one state or is
 * impossible there. What is not modelled (permissions, times, when a vanished writer's file is closed) admits every
 * answer.
 */
final class NamespaceModel {
    private static final FunctionTable<Operation, Answered, Optional<Namespace>> EFFECTS =
            FunctionTable.<Operation, Answered, Optional<Namespace>>of(Operation.class)
                    .on(Operation.Create.class, (at, create) -> at.model().create(at.before(), create))
                    .on(Operation.Append.class, (at, append) -> append(at.before(), append, at.answer()))
                    .on(Operation.Flush.class, (at, flush) -> flush(at.before(), flush))
                    .on(Operation.Close.class, (at, close) -> close(at.before(), close))
                    .on(Operation.Rename.class, (at, rename) -> at.model().rename(at.before(), rename))
                    .on(Operation.Delete.class, (at, delete) -> delete(at.before(), delete))
                    .on(Operation.Mkdirs.class, (at, mkdirs) -> at.model().mkdirs(at.before(), mkdirs.path()))
                    .on(Operation.Truncate.class, (at, truncate) -> truncate(at.before(), truncate))
                    .on(Operation.Concat.class, (at, concat) -> concat(at.before(), concat, at.answer()))
                    .on(Operation.Recover.class, (at, recover) -> recover(at.before(), recover, at.answer()))
                    .on(
                            Operation.PowerLoss.class,
                            (at, loss) -> Optional.of(at.before().withoutPower()))
                    .on(
                            Operation.Status.class,
                            (at, status) -> status(at.before(), status.path(), (Answer.Seen) at.answer()))
                    .on(Operation.Read.class, (at, read) -> read(at.before(), read.path(), at.answer()))
                    .build();

    /** A call's answer, and the state that it found. */
    private record Answered(NamespaceModel model, Namespace before, Answer answer) {}

    private final Set<String> paths;

    /** @param paths that some call names; the parents of others always exist */
    NamespaceModel(Set<String> paths) {
        this.paths = Set.copyOf(paths);
    }

    /**
     * The state after a call with its answer; empty when it cannot have answered so. For an unknown outcome: after its
     * effect.
     */
    Optional<Namespace> after(Namespace before, Call call) {
        Operation operation = call.operation();
        if (call.unknown() && observes(call)) {
            return Optional.of(before);
        }
        if (call.answer() instanceof Answer.Wrong) {
            return Optional.empty();
        }
        if (call.answer() instanceof Answer.Refused refused) {
            return fits(before, operation, refused.code()) ? Optional.of(before) : Optional.empty();
        }
        return EFFECTS.apply(new Answered(this, before, call.answer()), operation);
    }

    private Optional<Namespace> create(Namespace before, Operation.Create create) {
        boolean may = before.absent(create.path()) || (create.overwrite() && before.isFile(create.path()));
        return may && hasParent(before, create.path())
                ? Optional.of(before.with(create.path(), FileContent.created(create.tag(), create.most())))
                : Optional.empty();
    }

    private static Optional<Namespace> append(Namespace before, Operation.Append append, Answer answer) {
        return file(
                before,
                append.path(),
                content -> sized(content, answer).map(sized -> sized.appended(append.tag(), append.most())));
    }

    private static Optional<Namespace> flush(Namespace before, Operation.Flush flush) {
        return writer(before, flush.tag(), content -> content.acknowledged(flush.tag(), flush.bytes(), flush.sync()));
    }

    private static Optional<Namespace> close(Namespace before, Operation.Close close) {
        return writer(before, close.tag(), content -> content.closedBy(close.tag(), close.bytes(), close.sync()));
    }

    private static Optional<Namespace> delete(Namespace before, Operation.Delete delete) {
        boolean may = !before.absent(delete.path()) && (delete.recursive() || !before.hasChildren(delete.path()));
        return may ? Optional.of(before.without(delete.path())) : Optional.empty();
    }

    private static Optional<Namespace> truncate(Namespace before, Operation.Truncate truncate) {
        return file(before, truncate.path(), content -> content.cut(truncate.length()));
    }

    private static Optional<Namespace> recover(Namespace before, Operation.Recover recover, Answer answer) {
        boolean closed = answer instanceof Answer.Recovered recovered && recovered.closed();
        return file(before, recover.path(), content -> Optional.of(closed ? content.closed() : content));
    }

    /**
     * A recovery begins that will answer that the file is closed, wherever that lies then; empty when there is no file.
     *
     * @param recovery its number
     */
    static Optional<Namespace> recoveryBegins(Namespace before, Operation recover, int recovery) {
        return file(before, recover.paths().get(0), content -> Optional.of(content.inRecovery(recovery)));
    }

    private static Optional<Namespace> read(Namespace before, String path, Answer answer) {
        if (answer instanceof Answer.Lost lost) {
            return file(before, path, file -> file.lost(lost));
        }
        Answer.Content content = (Answer.Content) answer;
        return file(before, path, file -> file.read(content.runs(), content.access()));
    }

    private Optional<Namespace> mkdirs(Namespace before, String path) {
        return before.isFile(path) || !hasParent(before, path)
                ? Optional.empty()
                : Optional.of(before.with(path, Namespace.DIRECTORY));
    }

    private Optional<Namespace> rename(Namespace before, Operation.Rename rename) {
        String from = rename.from();
        String to = rename.to();
        boolean replaces = rename.overwrite() && before.isFile(from) == before.isFile(to) && !before.hasChildren(to);
        boolean may = !before.absent(from)
                && !to.startsWith(from + "/")
                && !to.equals(from)
                && hasParent(before, to)
                && (before.absent(to) || replaces);
        return may ? Optional.of(before.moved(from, to)) : Optional.empty();
    }

    private static Optional<Namespace> concat(Namespace before, Operation.Concat concat, Answer answer) {
        List<Optional<FileContent>> sources =
                concat.sources().stream().map(before::file).toList();
        if (sources.stream().anyMatch(Optional::isEmpty)) {
            return Optional.empty();
        }
        Optional<FileContent> whole = before.file(concat.path())
                .map(target -> target.with(sources.stream().map(Optional::get).toList()))
                .flatMap(content -> sized(content, answer));
        Namespace after = before;
        for (String source : concat.sources()) {
            after = after.without(source);
        }
        Namespace without = after;
        return whole.map(content -> without.with(concat.path(), content));
    }

    private static Optional<Namespace> status(Namespace before, String path, Answer.Seen seen) {
        if (seen.directory()) {
            return before.directory(path) ? Optional.of(before) : Optional.empty();
        }
        return file(before, path, content -> {
            if (!seen.open()) {
                return content.closedAt(seen.length());
            }
            return content.writer() != FileContent.CLOSED && seen.length() <= content.most()
                    ? Optional.of(content)
                    : Optional.empty();
        });
    }

    private static Optional<FileContent> sized(FileContent content, Answer answer) {
        return answer instanceof Answer.Sized sized ? content.closedAt(sized.length()) : Optional.of(content);
    }

    private interface Change {
        Optional<FileContent> of(FileContent content);
    }

    private static Optional<Namespace> file(Namespace before, String path, Change change) {
        return before.file(path).flatMap(change::of).map(content -> before.with(path, content));
    }

    /** A file that was deleted or replaced meanwhile takes what its writer does, to no effect. */
    private static Optional<Namespace> writer(Namespace before, long tag, Change change) {
        return before.pathOf(tag).map(path -> file(before, path, change)).orElse(Optional.of(before));
    }

    private boolean hasParent(Namespace state, String path) {
        String parent = Namespace.parent(path);
        return !paths.contains(parent) || state.directory(parent);
    }

    private boolean belowAFile(Namespace state, String path) {
        for (String at = Namespace.parent(path); !at.isEmpty(); at = Namespace.parent(at)) {
            if (state.isFile(at)) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether the state gives a reason for this refusal. */
    private boolean fits(Namespace state, Operation operation, ErrorCode code) {
        List<String> operands = operation.paths();
        return switch (code) {
            case NOT_FOUND -> operands.isEmpty() || missing(state, operation);
            case ALREADY_EXISTS -> inTheWay(state, operation);
            case IS_A_DIRECTORY -> operands.stream().anyMatch(state::directory);
            case NOT_A_DIRECTORY -> operation instanceof Operation.Rename rename && state.isFile(rename.to());
            case NOT_EMPTY -> operands.stream().anyMatch(state::hasChildren);
            case PARENT_NOT_DIRECTORY -> operands.stream().anyMatch(path -> belowAFile(state, path));
            case LEASE_CONFLICT -> operands.isEmpty() || operands.stream().anyMatch(state::isFile);
            default -> true;
        };
    }

    private boolean missing(Namespace state, Operation operation) {
        return operation.required().stream().anyMatch(state::absent)
                || operation.made().filter(path -> !hasParent(state, path)).isPresent();
    }

    private static boolean inTheWay(Namespace state, Operation operation) {
        if (operation instanceof Operation.Create create) {
            return create.overwrite() ? state.directory(create.path()) : !state.absent(create.path());
        }
        if (operation instanceof Operation.Rename rename) {
            return !rename.overwrite() && !state.absent(rename.to());
        }
        return operation instanceof Operation.Mkdirs mkdirs && state.isFile(mkdirs.path());
    }

    /**
     * Whether a call only says something about the state: to leave it out of a history allows more and forbids nothing.
     */
    static boolean observes(Call call) {
        Operation operation = call.operation();
        return call.answer() instanceof Answer.Refused
                || operation instanceof Operation.Status
                || operation instanceof Operation.Read
                || operation instanceof Operation.Flush
                || operation instanceof Operation.Recover;
    }

    /** The tag of the file that a writer's call is about. */
    static OptionalLong writer(Operation operation) {
        if (operation instanceof Operation.Flush flush) {
            return OptionalLong.of(flush.tag());
        }
        return operation instanceof Operation.Close close ? OptionalLong.of(close.tag()) : OptionalLong.empty();
    }
}
