package io.ecfs.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FilePathTest {
    private static final String[] PARTS = {"/", ".", "a", "é", "\uD83D", "\uDE00", "\n", "\u0085"};
    private static final int MOST_PARTS = 5;

    @Test
    void takesJustThePathsWhoseNamesAreNames() {
        List<String> texts = new ArrayList<>(List.of(""));
        for (int from = 0, parts = 0; parts < MOST_PARTS; parts++) {
            int to = texts.size();
            for (; from < to; from++) {
                for (String part : PARTS) {
                    texts.add(texts.get(from) + part);
                }
            }
        }
        for (String text : texts) {
            assertThat(taken(text)).as(text.chars().boxed().toList().toString()).isEqualTo(valid(text));
        }
    }

    /** Written without regard to speed. */
    private static boolean valid(String text) {
        if (!text.startsWith("/") || text.equals("/")) {
            return text.equals("/");
        }
        for (String name : text.substring(1).split("/", -1)) {
            boolean unicode = name.equals(new String(name.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8));
            boolean control = name.chars().anyMatch(c -> Character.getType(c) == Character.CONTROL);
            if (List.of("", ".", "..").contains(name) || control || !unicode) {
                return false;
            }
        }
        return true;
    }

    private static boolean taken(String text) {
        try {
            return new FilePath(text).text().equals(text);
        } catch (IllegalArgumentException refused) {
            return false;
        }
    }

    @Test
    void countsTheBytesOfANameAndOfAPathInUtf8() {
        for (String letter : List.of("a", "é", "€", "\uD83D\uDE00")) {
            int width = letter.getBytes(StandardCharsets.UTF_8).length;
            String longest = letter.repeat(FilePath.MAX_NAME_BYTES / width);
            assertThat(new FilePath("/x/" + longest).name()).isEqualTo(longest);
            assertThatThrownBy(() -> new FilePath("/x/" + longest + letter + "/y"))
                    .hasMessageContaining("longer than the limit of 255");
            String deep = ("/" + letter.repeat(60)).repeat(FilePath.MAX_BYTES / (1 + 60 * width));
            String rest = "/" + letter.repeat((FilePath.MAX_BYTES - bytes(deep) - 1) / width);
            assertThat(new FilePath(deep + (rest.length() > 1 ? rest : "")).text())
                    .startsWith(deep);
            assertThatThrownBy(() -> new FilePath(deep + deep)).hasMessageContaining("longer than the limit of 8000");
        }
    }

    private static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    @Test
    void hasAThousandLevelsAtMost() {
        assertThat(new FilePath("/a".repeat(FilePath.MAX_DEPTH)).names()).hasSize(FilePath.MAX_DEPTH);
        assertThatThrownBy(() -> new FilePath("/a".repeat(FilePath.MAX_DEPTH + 1)))
                .hasMessageContaining("1001 levels deep");
    }
}
