package io.ecfs.wire.codec;

import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.introspect.AnnotatedMember;
import com.fasterxml.jackson.databind.introspect.AnnotatedMethod;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.util.Optional;

/** Tells Jackson what a record means to us: its components and nothing else, each required unless it is optional. */
final class RecordIntrospector extends JacksonAnnotationIntrospector {
    private static final long serialVersionUID = 1L;

    @Override
    public Boolean hasRequiredMarker(AnnotatedMember member) {
        if (!member.getDeclaringClass().isRecord()) {
            return super.hasRequiredMarker(member);
        }
        return !Optional.class.equals(member.getRawType());
    }

    /** A method such as {@code isRoot()} of a record is a question to it and no component. */
    @Override
    public boolean hasIgnoreMarker(AnnotatedMember member) {
        if (super.hasIgnoreMarker(member)) {
            return true;
        }
        return member instanceof AnnotatedMethod method
                && !Modifier.isStatic(method.getModifiers())
                && method.getDeclaringClass().isRecord()
                && !isComponent(method)
                && !method.hasAnnotation(JsonValue.class);
    }

    private static boolean isComponent(AnnotatedMethod method) {
        for (RecordComponent component : method.getDeclaringClass().getRecordComponents()) {
            if (component.getName().equals(method.getName())) {
                return true;
            }
        }
        return false;
    }
}
