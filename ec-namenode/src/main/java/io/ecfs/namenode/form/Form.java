package io.ecfs.namenode.form;

import io.ecfs.namenode.row.RowReader;
import io.ecfs.namenode.row.RowWriter;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * The form of one kind of record: its number, the feature level that knows it, and its fields in order. Fields that
 * came later are tagged and follow the others.
 * @param number of the kind, never given to another one
 * @param read reads what {@code write} wrote, field by field in the same order
 */
public record Form<T>(
        int number, int since, Class<T> kind, BiConsumer<RowWriter, T> write, Function<RowReader, T> read) {
    /** The feature level with which these forms began. */
    public static final int FIRST_LEVEL = 1;

    public Form {
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(write, "write");
        Objects.requireNonNull(read, "read");
        if (number < 1 || since < FIRST_LEVEL) {
            throw new IllegalArgumentException(
                    "form of " + kind.getName() + " with number " + number + " since level " + since);
        }
    }

    /** Of a kind that feature level 1 knows. */
    public static <T> Form<T> of(
            int number, Class<T> kind, BiConsumer<RowWriter, T> write, Function<RowReader, T> read) {
        return new Form<>(number, FIRST_LEVEL, kind, write, read);
    }

    void writeBody(RowWriter out, Object value) {
        write.accept(out.needs(since), kind.cast(value));
    }
}
