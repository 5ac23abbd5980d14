package io.ecfs.namenode.user.os;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.namenode.user.StaticGroups;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file with lines of {@link StaticGroups}. */
record GroupFile(Path path) {
    StaticGroups read() throws IOException {
        try {
            return StaticGroups.parse(Files.readAllLines(path));
        } catch (IllegalArgumentException e) {
            throw new EcfsException(ErrorCode.MALFORMED, "groups.file " + path + ": " + e.getMessage(), e);
        } catch (IOException e) {
            throw new EcfsException(
                    ErrorCode.NOT_FOUND, "groups.file " + path + " cannot be read as UTF-8 text: " + e.getMessage(), e);
        }
    }
}
