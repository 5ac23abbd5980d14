package io.ecfs.namenode.context;

import java.util.function.Consumer;

/** The outcome of a command or read that went through the log. */
public sealed interface Outcome<T> {
    /** The log confirmed it. */
    record Done<T>(T result) implements Outcome<T> {}

    /** It was refused, or the log did not confirm it. */
    record Failed<T>(Throwable reason) implements Outcome<T> {}

    /** Passes the outcome to one of the two. */
    default void resolve(Consumer<? super T> done, Consumer<Throwable> failed) {
        if (this instanceof Done<T> success) {
            done.accept(success.result());
            return;
        }
        failed.accept(((Failed<T>) this).reason());
    }
}
