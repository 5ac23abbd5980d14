package io.ecfs.datanode.store.disk;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.datanode.store.disk.OpenFiles.Loan;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OpenFilesTest {
    private final OpenFiles files = new OpenFiles(1, FileChannel::open);

    @TempDir
    private Path directory;

    private Path a;
    private Path b;

    @BeforeEach
    void create() throws IOException {
        a = directory.resolve("a");
        b = directory.resolve("b");
        files.create(a);
    }

    @AfterEach
    void close() throws IOException {
        files.close();
    }

    @Test
    void aLoanIsGivenBackWhileTheDiskDoesNotAnswerSomebodyElse() throws Exception {
        Loan loan = files.lend(a);
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch answered = new CountDownLatch(1);
        CompletableFuture<Void> slow = CompletableFuture.runAsync(() -> call(() -> files.rename(a, b, () -> {
            asked.countDown();
            call(answered::await);
            Files.move(a, b);
        })));
        asked.await();
        try {
            CompletableFuture.runAsync(() -> call(loan::close)).get(2, TimeUnit.MINUTES);
        } finally {
            answered.countDown();
            slow.join();
        }
    }

    @Test
    void aFileThatIsForgottenStaysOpenForItsLastUserAndNoLonger() throws IOException {
        Loan first = files.lend(a);
        Loan second = files.lend(a);
        files.forget(a);
        first.close();
        assertThat(second.channel().isOpen()).isTrue();
        second.close();
        assertThat(second.channel().isOpen()).isFalse();
    }

    @Test
    void ofFilesThatNobodyUsesNoMoreThanTheBoundAreOpen() throws IOException {
        Loan used = files.lend(a);
        files.create(b);
        Loan other = files.lend(b);
        other.close();
        files.create(directory.resolve("c"));
        assertThat(used.channel().isOpen()).isTrue();
        assertThat(other.channel().isOpen()).isFalse();
        used.close();
        files.create(directory.resolve("d"));
        assertThat(used.channel().isOpen()).isFalse();
    }

    private FileChannel channelOf(OpenFiles of, Path path) throws IOException {
        try (Loan loan = of.lend(path)) {
            return loan.channel();
        }
    }

    @Test
    void aRenamedFileStaysOpenUnderItsNewNameAndWhatHadTheNameDoesNot() throws IOException {
        OpenFiles two = new OpenFiles(2, FileChannel::open);
        Files.writeString(b, "there before");
        FileChannel renamed = channelOf(two, a);
        FileChannel replaced = channelOf(two, b);
        two.rename(a, b, () -> Files.move(a, b, StandardCopyOption.REPLACE_EXISTING));
        assertThat(replaced.isOpen()).isFalse();
        assertThat(channelOf(two, b)).isSameAs(renamed);
        Path c = directory.resolve("c");
        Files.createFile(c);
        two.rename(c, a, () -> Files.move(c, a));
        assertThat(channelOf(two, a).isOpen()).as("one that was not open").isTrue();
        two.close();
        assertThat(renamed.isOpen()).isFalse();
    }

    @Test
    void theLeastRecentlyUsedFileIsClosedFirst() throws IOException {
        OpenFiles two = new OpenFiles(2, FileChannel::open);
        two.create(b);
        FileChannel second = channelOf(two, b);
        FileChannel first = channelOf(two, a);
        assertThat(channelOf(two, a)).as("kept open between uses").isSameAs(first);
        Path c = directory.resolve("c");
        Files.createFile(c);
        FileChannel third = channelOf(two, c);
        assertThat(second.isOpen()).isFalse();
        assertThat(first.isOpen()).isTrue();
        assertThat(third.isOpen()).isTrue();
        assertThat(channelOf(two, b)).as("opened anew").isNotSameAs(second);
        two.close();
        assertThat(third.isOpen()).isFalse();
    }

    private interface Step {
        void run() throws Exception;
    }

    private static void call(Step step) {
        try {
            step.run();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
