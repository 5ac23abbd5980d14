package io.ecfs.torture.history;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;

/** Result of a call. */
public sealed interface Answer {
    /** The result's name in a history. */
    default String result() {
        return NAMES.get(getClass());
    }

    Map<Class<? extends Answer>, String> NAMES = Map.of(
            Done.class, "done",
            Sized.class, "sized",
            Recovered.class, "recovered",
            Seen.class, "seen",
            Content.class, "content",
            Wrong.class, "wrong",
            Lost.class, "lost",
            Refused.class, "refused",
            Unknown.class, "unknown");

    /** The types by their names. */
    static Map<String, Class<? extends Answer>> types() {
        Map<String, Class<? extends Answer>> types = new TreeMap<>();
        NAMES.forEach((type, name) -> types.put(name, type));
        return types;
    }

    record Done() implements Answer {}

    /** @param length of the file before an append, after a truncate or concat */
    record Sized(long length) implements Answer {}

    /** @param closed whether the file was closed when the call returned */
    record Recovered(boolean closed) implements Answer {}

    /** @param length of a closed file; of an open one that of its sealed groups */
    record Seen(boolean directory, long length, boolean open) implements Answer {}

    /** State of a file when it was opened for reading: being written or closed, as far as the call reports it. */
    enum Access {
        OPEN,
        CLOSED,
        EITHER
    }

    record Content(List<Run> runs, Access access) implements Answer {
        public Content {
            runs = List.copyOf(runs);
            Objects.requireNonNull(access, "access");
        }
    }

    /** Bytes were read that were never written there, or fewer than the file has: wrong in any history. */
    record Wrong(String reason) implements Answer {}

    /**
     * A file cannot be read whole though all daemons serve: bytes of it are gone.
     *
     * @param length of the file
     * @param runs what was read before the first hole
     * @param holes stretches of bytes that cannot be read, in order
     */
    record Lost(long length, List<Run> runs, List<Hole> holes, String reason) implements Answer {
        public Lost {
            runs = List.copyOf(runs);
            holes = List.copyOf(holes);
        }

        /** Bytes before the first hole. */
        public long bytesBefore() {
            return runs.stream().mapToLong(Run::bytes).sum();
        }
    }

    /** Bytes [from, to) of a file. */
    record Hole(long from, long to) {
        public Hole {
            if (from < 0 || to <= from) {
                throw new IllegalArgumentException("a hole has at least one byte, got [" + from + ", " + to + ")");
            }
        }
    }

    /** It had no effect, for this reason. */
    record Refused(ErrorCode code) implements Answer {}

    /** The call may have taken effect, may do so later, or never. */
    record Unknown(String reason) implements Answer {}

    /** Codes with which the namenode says that it changed nothing. */
    Set<ErrorCode> DEFINITE = EnumSet.of(
            ErrorCode.INVALID_ARGUMENT,
            ErrorCode.NOT_FOUND,
            ErrorCode.ALREADY_EXISTS,
            ErrorCode.PARENT_NOT_DIRECTORY,
            ErrorCode.IS_A_DIRECTORY,
            ErrorCode.NOT_A_DIRECTORY,
            ErrorCode.NOT_EMPTY,
            ErrorCode.ACCESS_DENIED,
            ErrorCode.UNSUPPORTED,
            ErrorCode.QUOTA_EXCEEDED,
            ErrorCode.LEASE_CONFLICT,
            ErrorCode.FILE_CHANGED);

    /** The answer that a failed call of the namespace gives. */
    static Answer of(EcfsException failure) {
        return DEFINITE.contains(failure.code())
                ? new Refused(failure.code())
                : new Unknown(failure.code() + ": " + failure.getMessage());
    }
}
