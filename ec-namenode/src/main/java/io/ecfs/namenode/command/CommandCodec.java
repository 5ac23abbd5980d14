package io.ecfs.namenode.command;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.jsontype.NamedType;
import com.fasterxml.jackson.dataformat.cbor.databind.CBORMapper;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.NamespaceRequest.Mutation;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * Commands and outcomes as bytes: the frequent ones in {@link BinaryForms}, all others as CBOR. There the name of a record's class in small camel case tells which one it is, and is part of the log's
 * format: classes of the log are never renamed. A field that an older release did not write is optional, everything else must be there. Safe for use by many threads.
 */
public final class CommandCodec {
    private final ObjectMapper mapper;
    private final BinaryForms forms = new BinaryForms();

    public CommandCodec() {
        mapper = CBORMapper.builder()
                .addModule(new Jdk8Module())
                .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
                .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
                .addMixIn(Command.class, Named.class)
                .addMixIn(Applied.class, Named.class)
                .addMixIn(Mutation.class, Named.class)
                .build();
        nameKindsOf(Command.class);
        nameKindsOf(Applied.class);
        nameKindsOf(Mutation.class);
    }

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "is")
    private interface Named {}

    public byte[] encode(Command command) {
        return command instanceof Command.Call call ? forms.encode(call) : write(command);
    }

    public byte[] encode(Applied applied) {
        return forms.encode(applied).orElseGet(() -> write(applied));
    }

    /** @throws EcfsException {@code MALFORMED} */
    public Command command(byte[] bytes) throws EcfsException {
        return BinaryForms.begins(bytes) ? fixed(bytes, Command.class, forms::call) : read(bytes, Command.class);
    }

    /** @throws EcfsException {@code MALFORMED} */
    public Applied applied(byte[] bytes) throws EcfsException {
        return BinaryForms.begins(bytes) ? fixed(bytes, Applied.class, forms::applied) : read(bytes, Applied.class);
    }

    private byte[] write(Object value) {
        try {
            return mapper.writeValueAsBytes(value);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException("cannot encode " + value.getClass().getSimpleName(), e);
        }
    }

    private <T> T read(byte[] bytes, Class<T> type) throws EcfsException {
        try {
            return mapper.readValue(bytes, type);
        } catch (IOException e) {
            throw malformed(bytes, type, e);
        }
    }

    private interface Form<T> {
        T read(byte[] bytes) throws EcfsException;
    }

    private static <T> T fixed(byte[] bytes, Class<T> type, Form<? extends T> form) throws EcfsException {
        try {
            return form.read(bytes);
        } catch (EcfsException | RuntimeException e) {
            throw malformed(bytes, type, e);
        }
    }

    private static EcfsException malformed(byte[] bytes, Class<?> type, Exception e) {
        return new EcfsException(
                ErrorCode.MALFORMED, bytes.length + " bytes are no " + type.getSimpleName() + ": " + firstLine(e), e);
    }

    private void nameKindsOf(Class<?> sealed) {
        for (Class<?> kind : sealed.getPermittedSubclasses()) {
            String name = kind.getSimpleName();
            mapper.registerSubtypes(new NamedType(kind, Character.toLowerCase(name.charAt(0)) + name.substring(1)));
        }
    }

    private static String firstLine(Throwable e) {
        return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
    }
}
