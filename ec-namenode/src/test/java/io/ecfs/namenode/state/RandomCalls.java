package io.ecfs.namenode.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.layout.GroupId;
import io.ecfs.message.FilePath;
import io.ecfs.message.namespace.FileStatus;
import io.ecfs.message.namespace.NamespaceRequest.Mutation;
import io.ecfs.namenode.command.Command;
import io.ecfs.namenode.command.CommandResult;
import io.ecfs.namenode.group.ChunkOnVolume;
import io.ecfs.namenode.group.GroupFacts;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;

/** A seeded stream of calls on a small tree, each compared with the naive namespace. */
public final class RandomCalls {
    private final Random random;
    private final Supplier<String> where;
    private final Ledger ledger;
    private final NaiveNamespace naive = new NaiveNamespace();

    public RandomCalls(long seed, Ledger ledger) {
        this.random = new Random(seed);
        this.where = () -> "seed " + seed;
        this.ledger = ledger;
    }

    public void run(int steps) {
        for (int i = 0; i < steps; i++) {
            ledger.now += random.nextInt(20_000);
            step();
        }
    }

    private void step() {
        String path = path();
        switch (random.nextInt(12)) {
            case 0, 1 -> agree(ledger.mkdirs(path), naive.mkdirs(path));
            case 2, 3, 4 -> write(path, random.nextInt(3) * 1000L, random.nextBoolean());
            case 5, 6 -> agree(ledger.delete(path), naive.delete(path));
            case 7, 8, 9 -> rename(path, path(), random.nextBoolean());
            case 10 -> ledger.apply(new Command.PurgeStep(ledger.now, 1 + random.nextInt(12)));
            default -> forgetSomeGarbage();
        }
    }

    private void write(String path, long length, boolean overwrite) {
        CommandResult created = ledger.call(ledger.create(path, overwrite));
        boolean expected = naive.write(path, length, overwrite);
        assertThat(created instanceof CommandResult.Created)
                .as("%s: write %s overwrite=%s answered %s", where.get(), path, overwrite, created)
                .isEqualTo(expected);
        if (created instanceof CommandResult.Created file) {
            ledger.close(file, length);
        }
    }

    private void rename(String from, String to, boolean overwrite) {
        agree(ledger.rename(from, to, overwrite), naive.rename(from, to, overwrite));
    }

    private void agree(Mutation mutation, boolean expected) {
        CommandResult applied = ledger.call(mutation);
        assertThat(applied instanceof CommandResult.Done)
                .as("%s: %s answered %s", where.get(), mutation, applied)
                .isEqualTo(expected);
    }

    private void forgetSomeGarbage() {
        try (MetadataView view = ledger.state.view()) {
            ledger.volumes.forEach(volume ->
                    ledger.apply(new Command.ForgetGarbage(ledger.now, view.garbageOn(volume, Optional.empty(), 3))));
        }
    }

    private String path() {
        StringBuilder path = new StringBuilder();
        for (int depth = random.nextInt(4); depth >= 0; depth--) {
            path.append('/').append((char) ('a' + random.nextInt(3)));
        }
        return random.nextInt(50) == 0 ? "/" : path.toString();
    }

    public void checkTree() {
        Map<String, Long> found = new TreeMap<>();
        collect(ledger.status("/").orElseThrow(), found);
        assertThat(found).as(where.get()).isEqualTo(naive.paths);
    }

    private void collect(FileStatus status, Map<String, Long> into) {
        FilePath path = status.path();
        into.put(path.text(), status.directory() ? NaiveNamespace.DIRECTORY : status.length());
        if (status.directory()) {
            ledger.list(path.text())
                    .forEach(name ->
                            collect(ledger.status(path.child(name).text()).orElseThrow(), into));
        }
    }

    /** The index by volume has exactly the placed chunks, and none of them is garbage. */
    public void checkChunks() {
        try (MetadataView view = ledger.state.view()) {
            TreeSet<ChunkOnVolume> placed = new TreeSet<>();
            view.groups(
                    new GroupId(1),
                    group -> placed.addAll(group.stored()) || group.stored().isEmpty());
            TreeSet<ChunkOnVolume> indexed = new TreeSet<>();
            ledger.volumes.forEach(v -> indexed.addAll(view.chunksOn(v, Optional.empty(), Integer.MAX_VALUE)));
            assertThat(indexed).as(where.get()).isEqualTo(placed);
            assertThat(indexed).as(where.get()).noneMatch(view::isGarbage);
            view.groups(new GroupId(1), group -> checkFile(view, group));
        }
    }

    private boolean checkFile(MetadataView view, GroupFacts group) {
        assertThat(group.stored())
                .as("%s: chunks of %s", where.get(), group.group())
                .hasSize(Ledger.POLICY.chunks());
        assertThat(view.stampOf(group.group())).hasValue(group.stamp());
        return true;
    }
}
