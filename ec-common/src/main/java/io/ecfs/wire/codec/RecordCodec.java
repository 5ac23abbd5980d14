package io.ecfs.wire.codec;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.dataformat.cbor.CBORFactory;
import com.fasterxml.jackson.dataformat.cbor.databind.CBORMapper;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Records to CBOR (RFC 8949) and back, exactly: the same value gives the same bytes, components in declaration order,
 * maps by key. On reading, components that are unknown are skipped (an upgraded peer may send more), a missing or null
 * component is refused unless it is an {@code Optional}, numbers and texts are not converted into each other, and
 * values that the record's constructor refuses are refused here. Safe for use by several threads.
 */
public final class RecordCodec {
    private static final Pattern ADVICE_ON_JACKSON = Pattern.compile(" \\((set Deser|but could|although)[^)]*\\)");
    private static final int MAX_NESTING = 64;
    private static final int MAX_TEXT = 1 << 20;

    /** One for the process: its first use of a class costs more than a thousand records of that class. */
    private static final CBORMapper MAPPER = mapper();

    private final ObjectWriter writer = MAPPER.writer();
    private final ObjectReader reader = MAPPER.reader().without(JsonParser.Feature.AUTO_CLOSE_SOURCE);

    private static CBORMapper mapper() {
        CBORFactory factory = CBORFactory.builder()
                .streamReadConstraints(StreamReadConstraints.builder()
                        .maxNestingDepth(MAX_NESTING)
                        .maxStringLength(MAX_TEXT)
                        .build())
                .build();
        return CBORMapper.builder(factory)
                .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
                .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
                .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
                .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
                .enable(DeserializationFeature.FAIL_ON_NUMBERS_FOR_ENUMS)
                .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
                .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
                .disable(SerializationFeature.FAIL_ON_EMPTY_BEANS)
                .annotationIntrospector(new RecordIntrospector())
                .addModule(new RecordModule())
                .build();
    }

    public byte[] encode(Record value) {
        try {
            return writer.writeValueAsBytes(value);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(cannot("write", value.getClass(), e), e);
        }
    }

    /** @throws EcfsException {@code MALFORMED} when the bytes are not such a record */
    public <T> T decode(Class<T> kind, byte[] bytes) throws EcfsException {
        try {
            return present(kind, reader.forType(kind).readValue(bytes));
        } catch (IOException e) {
            throw new EcfsException(ErrorCode.MALFORMED, cannot("read", kind, e), e);
        }
    }

    void encode(Record value, OutputStream out) {
        try {
            writer.writeValue(out, value);
        } catch (IOException e) {
            throw new IllegalArgumentException(cannot("write", value.getClass(), e), e);
        }
    }

    <T> T decode(Class<T> kind, InputStream in) throws EcfsException {
        try {
            return present(kind, reader.forType(kind).readValue(in));
        } catch (IOException e) {
            throw new EcfsException(ErrorCode.MALFORMED, cannot("read", kind, e), e);
        }
    }

    private static <T> T present(Class<T> kind, T value) throws EcfsException {
        if (value == null) {
            throw new EcfsException(ErrorCode.MALFORMED, "cannot read " + kind.getSimpleName() + ": null");
        }
        return value;
    }

    private static String cannot(String what, Class<?> kind, IOException e) {
        String reason = e instanceof JsonProcessingException json ? json.getOriginalMessage() : e.getMessage();
        String firstLine = String.valueOf(reason).lines().findFirst().orElse("");
        return "cannot " + what + " " + kind.getSimpleName() + path(e) + ": "
                + ADVICE_ON_JACKSON.matcher(firstLine).replaceAll("");
    }

    /** Path within the record, such as {@code .chunks[3].group}; empty when it is not known. */
    private static String path(IOException e) {
        if (!(e instanceof JsonMappingException mapping)) {
            return "";
        }
        return mapping.getPath().stream()
                .map(step -> step.getFieldName() != null ? "." + step.getFieldName() : "[" + step.getIndex() + "]")
                .collect(Collectors.joining());
    }
}
