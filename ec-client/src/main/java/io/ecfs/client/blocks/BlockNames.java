package io.ecfs.client.blocks;

import io.ecfs.message.FilePath;
import java.nio.charset.StandardCharsets;

/** File names of keys: one for each, also for keys that could not be names. */
final class BlockNames {
    private BlockNames() {}

    /**
     * The key itself where that is a name without a percent sign; otherwise what cannot stand in a name, and percent
     * signs, become %XX, byte by byte of UTF-8.
     *
     * @throws IllegalArgumentException for an empty key, one that is no valid Unicode, or one whose name would be too
     *     long
     */
    static String of(String key) {
        if (key.isEmpty()) {
            throw new IllegalArgumentException("a block's key must not be empty");
        }
        StringBuilder name = new StringBuilder();
        for (int i = 0; i < key.length(); i++) {
            char c = key.charAt(i);
            boolean dots = c == '.' && key.chars().allMatch(other -> other == '.');
            if (c == '%' || c == '/' || dots || Character.isISOControl(c)) {
                for (byte b : String.valueOf(c).getBytes(StandardCharsets.UTF_8)) {
                    name.append('%').append(String.format("%02X", b & 0xFF));
                }
            } else {
                name.append(c);
            }
        }
        FilePath.checkName(name.toString());
        return name.toString();
    }
}
