package io.ecfs.namenode.namespace;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.PrincipalName;
import java.util.Set;

/**
 * Rules of new names, from feature level 2 in force on; older names are not checked (HDFS:
 * DFSUtilClient.isValidName, FSDirectory.isReservedName). {@link io.ecfs.message.FilePath} rejects others anyway.
 */
final class NewNames {
    private static final Set<String> RESERVED = Set.of(".snapshot", ".reserved");

    private NewNames() {}

    /**
     * Of a file or directory.
     *
     * @throws EcfsException {@code INVALID_ARGUMENT}
     */
    static void checkEntry(Scope scope, String name) throws EcfsException {
        if (!scope.strict()) {
            return;
        }
        if (RESERVED.contains(name)) {
            throw new EcfsException(
                    ErrorCode.INVALID_ARGUMENT, "the name '" + name + "' is reserved, as in HDFS: choose another name");
        }
        int hidden = name.codePoints().filter(NewNames::misleads).findFirst().orElse(-1);
        if (hidden >= 0) {
            throw new EcfsException(
                    ErrorCode.INVALID_ARGUMENT,
                    String.format(
                            "a new name holds the character U+%04X, which changes how other characters are shown:"
                                    + " choose a name without it",
                            hidden));
        }
    }

    /** Controls, line ends, and what sets the direction of writing; joiners stay, which words of many scripts need. */
    private static boolean misleads(int character) {
        return Character.isISOControl(character)
                || character == 0x061C
                || character == 0x200E
                || character == 0x200F
                || (character >= 0x2028 && character <= 0x202E)
                || (character >= 0x2066 && character <= 0x2069);
    }

    /**
     * Of a user or group.
     *
     * @throws EcfsException {@code INVALID_ARGUMENT}
     */
    static void checkPrincipal(Scope scope, String what, String name) throws EcfsException {
        if (scope.strict() && !PrincipalName.valid(name)) {
            throw new EcfsException(ErrorCode.INVALID_ARGUMENT, what + " must have " + PrincipalName.RULE);
        }
    }
}
