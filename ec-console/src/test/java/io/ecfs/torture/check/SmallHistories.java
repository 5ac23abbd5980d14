package io.ecfs.torture.check;

import io.ecfs.error.ErrorCode;
import io.ecfs.torture.history.Answer;
import io.ecfs.torture.history.Call;
import io.ecfs.torture.history.Operation;
import io.ecfs.torture.history.Run;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;

/**
 * Histories of a correct namespace: calls take effect one after the other, answers are what the state then says, and
 * each call's interval lies around its effect. {@link #wrong} then changes one answer, which may or may not be
 * noticeable.
 */
final class SmallHistories {
    private static final List<String> PATHS = List.of("/g/a", "/g/b", "/g/d", "/g/d/x");
    private static final long MOST = 40;

    private final SplittableRandom random;
    private final int unknownOneIn;
    private final List<Call> calls = new ArrayList<>();
    private final List<Long> tags = new ArrayList<>();
    private final NamespaceModel model = new NamespaceModel(paths());
    private Namespace state = Namespace.empty();
    private long now;

    private SmallHistories(long seed, int unknownOneIn) {
        this.unknownOneIn = unknownOneIn;
        this.random = new SplittableRandom(seed);
    }

    private static Set<String> paths() {
        Set<String> paths = new TreeSet<>(PATHS);
        paths.add("/g");
        return paths;
    }

    /** So many calls, overlapping at random, one in so many of unknown outcome. */
    static List<Call> correct(long seed, int count, int unknownOneIn) {
        SmallHistories histories = new SmallHistories(seed, unknownOneIn);
        histories.take(new Operation.Mkdirs("/g"));
        histories.take(new Operation.Status("/g/d")); // a parent that no call names is one that always exists
        while (histories.calls.size() < count) {
            histories.take(histories.operation());
        }
        return List.copyOf(histories.calls);
    }

    /** One of the calls answers something else. */
    static List<Call> wrong(long seed, List<Call> correct) {
        SplittableRandom random = new SplittableRandom(seed);
        List<Call> calls = new ArrayList<>(correct);
        int at = random.nextInt(calls.size());
        Call call = calls.get(at);
        calls.set(
                at,
                new Call(
                        call.process(),
                        call.operation(),
                        call.invokeNanos(),
                        call.unknown() ? call.invokeNanos() + 1 : call.returnNanos(),
                        another(call, random)));
        return calls;
    }

    private static Answer another(Call call, SplittableRandom random) {
        Operation operation = call.operation();
        if (operation instanceof Operation.Status) {
            return new Answer.Seen(random.nextInt(3) == 0, random.nextLong(MOST), random.nextBoolean());
        } else if (operation instanceof Operation.Read) {
            return new Answer.Content(
                    List.of(new Run(random.nextLong(3), 1 + random.nextLong(MOST))), Answer.Access.CLOSED);
        } else if (operation instanceof Operation.Flush || operation instanceof Operation.Close) {
            return new Answer.Done(); // refusals say nothing
        } else if (call.answer() instanceof Answer.Refused) {
            return operation instanceof Operation.Append || operation instanceof Operation.Truncate
                    ? new Answer.Sized(random.nextLong(MOST))
                    : new Answer.Done();
        }
        return new Answer.Refused(random.nextBoolean() ? ErrorCode.NOT_FOUND : ErrorCode.ALREADY_EXISTS);
    }

    private Operation operation() {
        String path = PATHS.get(random.nextInt(PATHS.size()));
        String other = PATHS.get(random.nextInt(PATHS.size()));
        long tag = tags.isEmpty() ? 0 : tags.get(random.nextInt(tags.size()));
        return switch (random.nextInt(13)) {
            case 0, 1 -> new Operation.Create(path, newTag(), random.nextBoolean(), MOST);
            case 2 -> new Operation.Append(path, newTag(), MOST);
            case 3 ->
                tags.isEmpty()
                        ? new Operation.Status(path)
                        : new Operation.Flush(tag, 1 + random.nextLong(MOST), random.nextBoolean());
            case 4, 5 ->
                tags.isEmpty() ? new Operation.Status(path) : new Operation.Close(tag, random.nextLong(MOST), false);
            case 6 -> new Operation.Rename(path, other, random.nextBoolean());
            case 7 -> new Operation.Delete(path, random.nextBoolean());
            case 8 -> new Operation.Mkdirs("/g/d");
            case 9 -> new Operation.Truncate(path, random.nextLong(MOST));
            case 10 -> new Operation.Concat(path, List.of(other));
            case 11 -> new Operation.Status(path);
            default -> new Operation.Read(path, "positioned");
        };
    }

    private long newTag() {
        tags.add((long) tags.size());
        return tags.size() - 1L;
    }

    /** The call takes effect now, if it can: then that is its answer, otherwise a refusal that fits. */
    private void take(Operation operation) {
        now += 10;
        for (Answer answer : answers(operation)) {
            Call call = new Call(calls.size(), operation, now - random.nextLong(25), now + random.nextLong(25), answer);
            Optional<Namespace> after = possible(operation) ? model.after(state, call) : Optional.empty();
            if (after.isPresent()) {
                boolean unknown = random.nextInt(unknownOneIn) == 0;
                unknown &= calls.size() > 1;
                calls.add(unknown ? call.forgotten() : call);
                if (!unknown || random.nextBoolean()) {
                    state = after.get();
                }
                return;
            }
        }
    }

    /** What the model leaves open, and a namenode does not do. */
    private boolean possible(Operation operation) {
        return !(operation instanceof Operation.Concat concat
                && concat.sources().contains(concat.path()));
    }

    private List<Answer> answers(Operation operation) {
        List<Answer> answers = new ArrayList<>();
        if (operation instanceof Operation.Append || operation instanceof Operation.Truncate) {
            String path = operation.paths().get(0);
            long length = operation instanceof Operation.Truncate truncate
                    ? truncate.length()
                    : state.file(path).map(FileContent::least).orElse(0L);
            answers.add(new Answer.Sized(length));
        } else if (operation instanceof Operation.Concat concat) {
            answers.add(new Answer.Sized(concat.paths().stream()
                    .mapToLong(path -> state.file(path).map(FileContent::least).orElse(0L))
                    .sum()));
        } else if (operation instanceof Operation.Status status) {
            long length = state.file(status.path()).map(FileContent::least).orElse(0L);
            boolean open =
                    state.file(status.path()).map(FileContent::writer).orElse(FileContent.CLOSED) != FileContent.CLOSED;
            answers.add(new Answer.Seen(state.directory(status.path()), length, open));
        } else if (operation instanceof Operation.Read read) {
            answers.add(new Answer.Content(
                    state.file(read.path()).stream()
                            .flatMap(file -> file.stretches().stream())
                            .filter(stretch -> stretch.least() > 0)
                            .map(stretch -> new Run(stretch.tag(), stretch.least()))
                            .toList(),
                    Answer.Access.EITHER));
        } else {
            answers.add(new Answer.Done());
        }
        answers.add(new Answer.Refused(ErrorCode.NOT_FOUND));
        answers.add(new Answer.Refused(ErrorCode.ALREADY_EXISTS));
        answers.add(new Answer.Refused(ErrorCode.IS_A_DIRECTORY));
        return answers;
    }
}
