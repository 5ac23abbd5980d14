package io.ecfs.client.read;

import io.ecfs.code.ErasureCode;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.chunk.ChunkLocation;
import io.ecfs.message.namespace.LocatedGroup;
import java.util.Map;
import java.util.Optional;

/** The failure of a read with too few chunks, which names each chunk's failure. */
final class Unreadable {
    private Unreadable() {}

    /** @param failures by the index of the chunk that was asked */
    static EcfsException because(LocatedGroup group, ErasureCode code, Map<Integer, EcfsException> failures) {
        StringBuilder why = new StringBuilder();
        int usable = 0;
        for (int index = 0; index < code.chunks(); index++) {
            EcfsException failure = failures.get(index);
            Optional<ChunkLocation> location = group.chunk(index);
            if (location.isEmpty()) {
                why.append("; ").append(group.group()).append('.').append(index).append(" has no place at present");
            } else if (failure != null) {
                why.append("; ")
                        .append(location.get().chunk())
                        .append(" on ")
                        .append(location.get().datanode())
                        .append(" (")
                        .append(location.get().address())
                        .append("): ")
                        .append(failure.code())
                        .append(", ")
                        .append(failure.getMessage());
            } else {
                usable++;
            }
        }
        return new EcfsException(
                ErrorCode.GROUP_UNREADABLE,
                "group " + group.group() + " under " + group.policy() + " cannot be read: " + usable + " of "
                        + code.chunks() + " chunks live, " + needed(code) + " needed" + why);
    }

    /** The needed chunks in words: of some codes any k are enough, of others it depends on which they are. */
    private static String needed(ErasureCode code) {
        return code.spec().decodesFromAny()
                ? Integer.toString(code.dataChunks())
                : code.dataChunks() + " independent ones";
    }
}
