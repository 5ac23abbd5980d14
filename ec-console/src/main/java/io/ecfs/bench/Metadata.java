package io.ecfs.bench;

import io.ecfs.bench.load.Crew;
import io.ecfs.bench.load.Latencies;
import io.ecfs.bench.part.TimedParts;
import io.ecfs.client.CreateOptions;
import io.ecfs.client.EcfsClient;
import io.ecfs.layout.Policy;
import io.ecfs.message.FilePath;
import io.ecfs.wire.Await;
import java.util.List;

/**
 * {@code meta_mkdirs}, {@code meta_create} (and close), {@code meta_open}, {@code meta_fileStatus}, {@code meta_list}
 * (a directory of 100), {@code meta_rename}, {@code meta_delete}: one kind of call after the other, on empty files, a
 * hundred in a directory.
 */
final class Metadata implements Workload {
    private static final int IN_ONE_DIRECTORY = 100;
    private static final int WARM_UP = 5000;

    @Override
    public Session begin(Stage stage, Policy policy) throws Exception {
        for (int threads : stage.plan().threads(16)) {
            stage.doing("metadata: warm-up, " + policy);
            run(stage, policy, threads, 0, Math.min(WARM_UP, stage.plan().operations()));
        }
        return number -> {
            for (int threads : stage.plan().threads(16)) {
                run(stage, policy, threads, number, stage.plan().operations());
            }
        };
    }

    private record Kind(String name, Crew.Piece call) {}

    /** Repetition 0 only warms up. */
    private static void run(Stage stage, Policy policy, int threads, int number, int operations) throws Exception {
        EcfsClient client = stage.client();
        FilePath directory = stage.path(policy, "meta" + threads + "-" + number);
        CreateOptions options = CreateOptions.defaults().withSync(stage.plan().sync());
        List<Kind> kinds = List.of(
                new Kind(
                        "mkdirs",
                        i -> Await.result(client.mkdirs(path(directory, "d", "", i), Stage.DIRECTORY_MODE, true))),
                new Kind(
                        "create",
                        i -> Await.result(client.create(path(directory, "f", "", i), options))
                                .close()),
                new Kind("open", i -> Await.result(client.open(path(directory, "f", "", i)))),
                new Kind("fileStatus", i -> Await.result(client.status(path(directory, "f", "", i)))),
                new Kind(
                        "list",
                        i -> Await.result(client.list(
                                new FilePath(directory.text() + "/f/" + i / IN_ONE_DIRECTORY), "", IN_ONE_DIRECTORY))),
                new Kind(
                        "rename",
                        i -> Await.result(
                                client.rename(path(directory, "f", "", i), path(directory, "f", "r", i), false))),
                new Kind("delete", i -> Await.result(client.delete(path(directory, "f", "r", i), false))));
        for (Kind kind : kinds) {
            stage.doing("meta_" + kind.name() + ", " + threads + " threads, repetition " + number);
            run(stage, policy, threads, number, operations, kind);
        }
        stage.delete(directory);
    }

    private static void run(Stage stage, Policy policy, int threads, int number, int operations, Kind kind)
            throws Exception {
        TimedParts.Part<Latencies> work = () -> stage.crew().each(operations, threads, kind.call());
        if (number == 0) {
            work.run();
            return;
        }
        stage.rate("meta_" + kind.name(), "ops/s", Stage.what(policy, number, threads), stage.measure(work), 0);
    }

    private static FilePath path(FilePath directory, String tree, String prefix, int number) {
        return new FilePath(directory.text() + "/" + tree + "/" + number / IN_ONE_DIRECTORY + "/" + prefix + number);
    }
}
