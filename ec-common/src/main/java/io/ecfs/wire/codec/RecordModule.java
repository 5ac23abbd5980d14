package io.ecfs.wire.codec;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.BeanProperty;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.deser.ContextualDeserializer;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import io.ecfs.error.ErrorCode;
import java.io.IOException;
import java.util.Optional;

/** {@code Optional} as the value or nothing, and error codes that this version does not know. */
final class RecordModule extends SimpleModule {
    private static final long serialVersionUID = 1L;

    RecordModule() {
        addSerializer(new OptionalWriter());
        addDeserializer(Optional.class, new OptionalReader(null));
        addDeserializer(ErrorCode.class, new ErrorCodeReader());
    }

    private static final class OptionalWriter extends StdSerializer<Optional<?>> {
        private static final long serialVersionUID = 1L;

        OptionalWriter() {
            super(Optional.class, false);
        }

        @Override
        public void serialize(Optional<?> value, JsonGenerator out, SerializerProvider provider) throws IOException {
            if (value.isPresent()) {
                provider.defaultSerializeValue(value.get(), out);
            } else {
                provider.defaultSerializeNull(out);
            }
        }
    }

    /** Reads the content by its declared type; missing and null are both empty. */
    private static final class OptionalReader extends JsonDeserializer<Optional<?>> implements ContextualDeserializer {
        private final JavaType content;

        OptionalReader(JavaType content) {
            this.content = content;
        }

        @Override
        public JsonDeserializer<?> createContextual(DeserializationContext context, BeanProperty property) {
            return new OptionalReader(context.getContextualType().containedTypeOrUnknown(0));
        }

        @Override
        public Optional<?> deserialize(JsonParser in, DeserializationContext context) throws IOException {
            return Optional.ofNullable(context.readValue(in, content));
        }

        @Override
        public Optional<?> getNullValue(DeserializationContext context) {
            return Optional.empty();
        }

        @Override
        public Object getAbsentValue(DeserializationContext context) {
            return Optional.empty();
        }
    }

    private static final class ErrorCodeReader extends JsonDeserializer<ErrorCode> {
        @Override
        public ErrorCode deserialize(JsonParser in, DeserializationContext context) throws IOException {
            String name = in.getText();
            for (ErrorCode code : ErrorCode.values()) {
                if (code.name().equals(name)) {
                    return code;
                }
            }
            return ErrorCode.INTERNAL;
        }
    }
}
