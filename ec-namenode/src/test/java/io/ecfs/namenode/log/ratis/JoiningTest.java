package io.ecfs.namenode.log.ratis;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.namenode.log.ReplicatedState.Position;
import io.ecfs.namenode.log.ratis.Joining.Candidate;
import io.ecfs.namenode.log.ratis.Joining.Standing;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class JoiningTest {
    private static final Set<String> OTHERS = Set.of("nn0", "nn2");
    private static final Position NOTHING = new Position(0, -1);

    @TempDir
    Path directory;

    private Path raft;

    @BeforeEach
    void emptyDirectory() throws IOException {
        raft = Files.createDirectories(directory.resolve("raft"));
    }

    private Joining open() throws IOException {
        return Joining.open("nn1", raft, OTHERS);
    }

    private static Candidate nn0(long term, Position last) {
        return new Candidate("nn0", term, false, last);
    }

    @Test
    void anEmptyDirectoryGivesNoVoteBeforeAllOthersDescribedTheirLogs() throws IOException {
        Joining joining = open();
        Candidate candidate = nn0(9, new Position(8, 1000));
        assertThat(joining.refusal(candidate))
                .hasValueSatisfying(why -> assertThat(why).contains("nn0").contains("nn2"));
        joining.described("nn0", new Standing(8, new Position(8, 1000)));
        assertThat(joining.refusal(candidate))
                .as("nn2 may have what nn0 lacks")
                .hasValueSatisfying(why -> assertThat(why).contains("[nn2]"));
        joining.described("nn2", new Standing(8, NOTHING));
        assertThat(joining.refusal(candidate)).isEmpty();
    }

    @Test
    void logsAreComparedByTermBeforeIndex() throws IOException {
        Joining joining = open();
        joining.described("nn0", new Standing(3, new Position(2, 1000)));
        joining.described("nn2", new Standing(3, new Position(3, 10)));
        assertThat(joining.refusal(nn0(4, new Position(2, 1000)))).isPresent();
        assertThat(joining.refusal(nn0(4, new Position(3, 9)))).isPresent();
        assertThat(joining.refusal(nn0(4, new Position(3, 10)))).isEmpty();
    }

    @Test
    void aTermBeforeTheLossOfADiskGetsNoSecondVote() throws IOException {
        Joining joining = open();
        joining.described("nn0", new Standing(3, NOTHING));
        joining.described("nn2", new Standing(5, NOTHING));
        assertThat(joining.refusal(nn0(5, NOTHING))).isPresent();
        assertThat(joining.refusal(nn0(6, NOTHING))).isEmpty();
        assertThat(joining.refusal(new Candidate("nn0", 5, true, NOTHING)))
                .as("a pre-vote for term 6")
                .isEmpty();
    }

    @Test
    void joiningLastsOverRestartsUntilItHasCaughtUp() throws IOException {
        assertThat(open().over()).isFalse();
        Files.createDirectories(raft.resolve("group"));
        Joining restarted = open();
        assertThat(restarted.over()).isFalse();
        assertThat(restarted.refusal(nn0(1, new Position(1, 1000)))).isPresent();
        restarted.caughtUp();
        assertThat(restarted.refusal(nn0(1, NOTHING))).isEmpty();
        assertThat(open().over()).isTrue();
    }

    @Test
    void aFirstMemberVotesOnItsEmptyLogOnceAndNotAfterThatLogWasLost() throws IOException {
        Joining.markFormatted(directory);
        assertThat(open().over()).isTrue();
        Path group = Files.createDirectories(raft.resolve("group"));
        assertThat(open().over()).isTrue();
        Files.delete(group);
        assertThat(open().over())
                .as("the log that it was formatted with is gone")
                .isFalse();
    }

    @Test
    void aDirectoryWithALogAndAGroupOfOneVoteAsTheyLike() throws IOException {
        assertThat(Joining.open("nn1", raft, Set.of()).over()).isTrue();
        Files.createDirectories(raft.resolve("group"));
        assertThat(open().over()).isTrue();
    }
}
