package io.ecfs.torture.fault.disk;

import io.ecfs.env.real.DirectoryTree;
import io.ecfs.torture.fault.Fault;
import io.ecfs.torture.fault.TortureSite;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/**
 * A follower's directory is put back as it was some seconds ago, without a restore: it must catch up with the others,
 * and serve nothing older.
 */
public record RollBack() implements Fault {
    private static final Duration AGE = Duration.ofSeconds(5);

    @Override
    public String name() {
        return "roll-back-namenode";
    }

    @Override
    public Victim victim() {
        return Victim.ALL;
    }

    @Override
    public Inflicted inflict(TortureSite site, String all, SplittableRandom random)
            throws IOException, InterruptedException {
        List<String> followers = new ArrayList<>(site.namenodes());
        followers.remove(site.leader());
        String follower = followers.get(random.nextInt(followers.size()));
        Path home = site.directory(follower);
        Path copy = home.resolveSibling(follower + ".before");
        site.kill(follower);
        copy(home, copy);
        site.start(follower);
        site.awaitWhole();
        site.pause(AGE);
        site.kill(follower);
        DirectoryTree.delete(home);
        Files.move(copy, home);
        return () -> site.start(follower);
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve(from.relativize(file)));
            }
        }
    }
}
