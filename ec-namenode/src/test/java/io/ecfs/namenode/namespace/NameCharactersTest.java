package io.ecfs.namenode.namespace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.error.EcfsException;
import io.ecfs.message.FeatureLevel;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** {@link NewNames}, character by character. */
class NameCharactersTest {
    private static boolean accepted(Scope scope, String name) {
        try {
            NewNames.checkEntry(scope, name);
            return true;
        } catch (EcfsException e) {
            return false;
        }
    }

    private static boolean acceptedPrincipal(Scope scope, String name) {
        try {
            NewNames.checkPrincipal(scope, "a user", name);
            return true;
        } catch (EcfsException e) {
            return false;
        }
    }

    @Test
    void exactlyControlsLineEndsAndDirectionMarksAreRefused() {
        Set<Integer> misleading = new TreeSet<>(Set.of(0x061C, 0x200E, 0x200F, 0x2028, 0x2029));
        IntStream.rangeClosed(0x00, 0x1F).forEach(misleading::add);
        IntStream.rangeClosed(0x7F, 0x9F).forEach(misleading::add);
        IntStream.rangeClosed(0x202A, 0x202E).forEach(misleading::add);
        IntStream.rangeClosed(0x2066, 0x2069).forEach(misleading::add);
        try (NamespaceRows rows = new NamespaceRows()) {
            Scope scope = rows.scope(NamespaceRows.SUPERUSER);
            Set<Integer> refused = IntStream.range(0, 0x3000)
                    .filter(character -> !accepted(scope, "a" + Character.toString(character)))
                    .boxed()
                    .collect(Collectors.toCollection(TreeSet::new));
            assertThat(refused).isEqualTo(misleading);
        }
    }

    @Test
    void aRefusalNamesTheCharacter() {
        try (NamespaceRows rows = new NamespaceRows()) {
            assertThatThrownBy(() -> NewNames.checkEntry(rows.scope(NamespaceRows.SUPERUSER), "gpj\u202eexe"))
                    .hasMessageContaining("U+202E")
                    .hasMessageNotContaining("gpj");
        }
    }

    @Test
    void theNamesThatHdfsReservesAreRefused() {
        try (NamespaceRows rows = new NamespaceRows()) {
            Scope scope = rows.scope(NamespaceRows.SUPERUSER);
            assertThat(accepted(scope, ".snapshot")).isFalse();
            assertThat(accepted(scope, ".reserved")).isFalse();
            assertThat(accepted(scope, ".Snapshot")).isTrue();
            assertThat(accepted(scope, ".snapshot2")).isTrue();
        }
    }

    @Test
    void principalsHaveOnlyTheCharactersOfTheirRule() {
        String first = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._@/$";
        try (NamespaceRows rows = new NamespaceRows()) {
            Scope scope = rows.scope(NamespaceRows.SUPERUSER);
            for (char character = 0; character < 0x300; character++) {
                boolean valid = first.indexOf(character) >= 0;
                assertThat(acceptedPrincipal(scope, "" + character)).isEqualTo(valid);
                assertThat(acceptedPrincipal(scope, "a" + character)).isEqualTo(valid || character == '-');
            }
            assertThat(acceptedPrincipal(scope, "")).isFalse();
            assertThat(acceptedPrincipal(scope, "x".repeat(64))).isTrue();
            assertThat(acceptedPrincipal(scope, "x".repeat(65))).isFalse();
        }
    }

    @Test
    void levelOneAcceptsEveryName() {
        try (NamespaceRows rows = new NamespaceRows(FeatureLevel.FIRST)) {
            Scope scope = rows.scope(NamespaceRows.SUPERUSER);
            assertThat(accepted(scope, ".snapshot")).isTrue();
            assertThat(accepted(scope, "a\u202e")).isTrue();
            assertThat(acceptedPrincipal(scope, "a b")).isTrue();
        }
    }
}
