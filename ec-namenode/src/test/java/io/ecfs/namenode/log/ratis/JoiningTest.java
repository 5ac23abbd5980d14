package io.ecfs.namenode.log.ratis;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class JoiningTest {
    @TempDir
    Path directory;

    private Path raft;

    @BeforeEach
    void emptyDirectory() throws IOException {
        raft = Files.createDirectories(directory.resolve("raft"));
    }

    @Test
    void anEmptyDirectoryVotesOnlyForFoundersUntilItHasCaughtUpAlsoAfterARestart() throws IOException {
        Joining joining = Joining.open("nn1", raft, false);
        assertThat(joining.mayVoteFor(-1)).isTrue();
        assertThat(joining.mayVoteFor(1000)).isFalse();

        Files.createDirectories(raft.resolve("group"));
        Joining restarted = Joining.open("nn1", raft, false);
        assertThat(restarted.mayVoteFor(1000)).isFalse();
        restarted.caughtUp();
        assertThat(restarted.mayVoteFor(1000)).isTrue();
        assertThat(Joining.open("nn1", raft, false).over()).isTrue();
    }

    @Test
    void aDirectoryWithALogAndAGroupOfOneVoteAsTheyLike() throws IOException {
        assertThat(Joining.open("nn1", raft, true).over()).isTrue();
        Files.createDirectories(raft.resolve("group"));
        assertThat(Joining.open("nn1", raft, false).over()).isTrue();
    }
}
