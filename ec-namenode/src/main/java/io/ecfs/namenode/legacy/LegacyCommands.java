package io.ecfs.namenode.legacy;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.cbor.databind.CBORMapper;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import io.ecfs.message.namespace.NamespaceRequest.Mutation;
import io.ecfs.namenode.command.Command;
import io.ecfs.namenode.command.CommandResult;
import java.io.IOException;

/**
 * Reads the log entries and remembered answers of 6e8d76b, the last release before feature levels; nothing is written
 * so any more. There the frequent ones are {@link BinaryForms} and all others CBOR maps with a name under {@code is}
 * ({@link LegacyNames}). Safe for use by many threads.
 */
public final class LegacyCommands {
    private static final int CBOR_TYPE = 0xE0;
    private static final int CBOR_MAP = 0xA0;

    private final ObjectMapper mapper;
    private final BinaryForms forms = new BinaryForms();

    public LegacyCommands() {
        mapper = CBORMapper.builder()
                .addModule(new Jdk8Module())
                .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
                .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
                .addMixIn(Command.class, Named.class)
                .addMixIn(CommandResult.class, Named.class)
                .addMixIn(Mutation.class, Named.class)
                .addMixIn(Command.PurgeStep.class, PurgesAll.class)
                .build();
        mapper.registerSubtypes(LegacyNames.all());
    }

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "is")
    private interface Named {}

    @SuppressWarnings("UnusedVariable") // Jackson reads the names and calls the constructor of the record
    private abstract static class PurgesAll {
        @JsonCreator
        PurgesAll(@JsonProperty("nowMillis") long nowMillis, @JsonProperty("budget") int budget) {}
    }

    /** Returns whether the bytes are of that release, if they are valid at all. */
    public static boolean wrote(byte[] bytes) {
        return BinaryForms.begins(bytes) || (bytes.length > 0 && (bytes[0] & CBOR_TYPE) == CBOR_MAP);
    }

    /** @throws IOException or an unchecked exception when the bytes are no command */
    public Command command(byte[] bytes) throws IOException {
        return BinaryForms.begins(bytes) ? forms.call(bytes) : mapper.readValue(bytes, Command.class);
    }

    /** @throws IOException or an unchecked exception when the bytes are no outcome */
    public CommandResult applied(byte[] bytes) throws IOException {
        return BinaryForms.begins(bytes) ? forms.applied(bytes) : mapper.readValue(bytes, CommandResult.class);
    }
}
