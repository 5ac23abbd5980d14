package io.ecfs.namenode.namespace;

import static io.ecfs.namenode.state.Ledger.path;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.FilePath;
import io.ecfs.message.namespace.FileStatus;
import io.ecfs.message.namespace.NamespaceReply.Found;
import io.ecfs.message.namespace.NamespaceRequest.FindNames;
import io.ecfs.message.namespace.NamespaceRequest.Mkdirs;
import io.ecfs.message.namespace.NamespaceRequest.SetMode;
import io.ecfs.namenode.command.CallerIdentity;
import io.ecfs.namenode.state.Ledger;
import io.ecfs.namenode.state.MetadataView;
import io.ecfs.namenode.store.MemoryStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Search by name, page by page. */
class NameSearchTest {
    private static final CallerIdentity EVE = new CallerIdentity("eve", List.of("guests"));

    private final Ledger ledger = new Ledger(new MemoryStore());
    private int denied;
    private int pages;

    private Found page(CallerIdentity caller, String top, String pattern, Optional<FilePath> after, int limit)
            throws EcfsException {
        try (MetadataView view = ledger.state.view()) {
            return view.namespace().find(new FindNames(path(top), pattern, false, after, limit), caller);
        }
    }

    private List<String> find(CallerIdentity caller, String top, String pattern, int limit) throws EcfsException {
        List<String> found = new ArrayList<>();
        Optional<FilePath> after = Optional.empty();
        denied = 0;
        pages = 0;
        do {
            Found page = page(caller, top, pattern, after, limit);
            assertThat(page.examined()).isLessThanOrEqualTo(limit);
            page.entries().stream().map(FileStatus::path).map(FilePath::text).forEach(found::add);
            denied += page.denied();
            pages++;
            after = page.next();
        } while (after.isPresent());
        return found;
    }

    private void tree() {
        for (String directory : List.of("/a/x", "/a/y/x", "/b/c/d/x", "/empty")) {
            ledger.done(ledger.mkdirs(directory));
        }
        ledger.write("/a/report.csv", 10);
        ledger.write("/b/c/report.txt", 10);
    }

    @Test
    void matchesComeInTheOrderOfTheWalkWhateverThePage() throws EcfsException {
        tree();
        for (int limit : List.of(1, 2, 3, 5, 100)) {
            assertThat(find(Ledger.ROOT, "/", "x", limit)).containsExactly("/a/x", "/a/y/x", "/b/c/d/x");
            assertThat(find(Ledger.ROOT, "/", "report.*", limit)).containsExactly("/a/report.csv", "/b/c/report.txt");
            assertThat(find(Ledger.ROOT, "/", "*", limit)).hasSize(11);
            assertThat(find(Ledger.ROOT, "/b", "*", limit))
                    .containsExactly("/b/c", "/b/c/d", "/b/c/d/x", "/b/c/report.txt");
        }
    }

    @Test
    void aFileIsItsOwnPage() throws EcfsException {
        tree();
        assertThat(find(Ledger.ROOT, "/a/report.csv", "*.csv", 1)).containsExactly("/a/report.csv");
        assertThat(find(Ledger.ROOT, "/a/report.csv", "*.txt", 1)).isEmpty();
    }

    @Test
    void whatVanishedBetweenPagesShiftsNothing() throws EcfsException {
        tree();
        Optional<FilePath> after =
                page(Ledger.ROOT, "/", "*", Optional.empty(), 4).next();
        assertThat(after).contains(path("/a/y"));
        ledger.done(ledger.delete("/a"));
        assertThat(page(Ledger.ROOT, "/", "x", after, 100).entries())
                .extracting(FileStatus::path)
                .containsExactly(path("/b/c/d/x"));
    }

    @Test
    void directoriesThatTheCallerMayNotListAreSkippedAndCounted() throws EcfsException {
        tree();
        ledger.done(new SetMode(ledger.request(), path("/b/c"), 0711));
        ledger.done(new Mkdirs(ledger.request(), path("/secret"), 0700, false));
        assertThat(find(EVE, "/", "x", 2)).containsExactly("/a/x", "/a/y/x");
        assertThat(denied).isEqualTo(2);
        assertThatThrownBy(() -> find(EVE, "/secret", "*", 2))
                .isInstanceOfSatisfying(
                        EcfsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.ACCESS_DENIED));
    }

    @Test
    void manyNamesAreSearchedInBoundedCalls() throws EcfsException {
        search(5_000);
    }

    @Tag("soak")
    @Test
    void aMillionNamesAreSearchedInBoundedCalls() throws EcfsException {
        search(1_000_000);
    }

    private void search(int names) throws EcfsException {
        int each = 1000;
        for (int i = 0; i < names; i++) {
            String directory = "/d" + i / each;
            if (i % each == 0) {
                ledger.done(ledger.mkdirs(directory));
            }
            ledger.done(ledger.mkdirs(directory + "/n" + i));
        }
        assertThat(find(Ledger.ROOT, "/", "n" + (names - 1), 1000))
                .containsExactly("/d" + (names - 1) / each + "/n" + (names - 1));
        assertThat(pages).isBetween(names / each, names / each + 2);
        assertThat(find(Ledger.ROOT, "/", "n*7", 10_000)).hasSize(names / 10);
    }
}
