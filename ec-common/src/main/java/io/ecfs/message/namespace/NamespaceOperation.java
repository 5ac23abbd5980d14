package io.ecfs.message.namespace;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Properties of a kind of request that a namenode needs before it handles one (Kafka: ApiKeys and its authorization).
 */
@Documented
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface NamespaceOperation {
    /** The number on the wire, in [256, 511]: never changed and never used again for another kind. */
    int number();

    /** The users who may ask it. */
    Access access();

    /** The superuser's privilege, as a verb phrase for "user eve may not …"; empty for other users' requests. */
    String doing() default "";

    /** The users who may ask. Only {@link #SUPERUSER} is checked by the kind alone, the others by the handler. */
    enum Access {
        /** Any user: sums of the cluster, and what names no user's files. */
        ANY_USER,
        /** By the permissions of the paths that it names, or of the files that it is about. */
        PATH,
        /** The user who has the file's lease, or the superuser, with the client that took it. */
        LEASE,
        /** The caller: what it is about is the caller's own by its key. */
        OWN,
        /** The superuser: it is about all files, about no file, or orders work. */
        SUPERUSER
    }
}
