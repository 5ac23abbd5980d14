package io.ecfs.namenode.form;

import io.ecfs.namenode.row.RowReader;
import io.ecfs.namenode.row.RowWriter;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** The numbers of an enum's constants in the log and in rows: a constant may be renamed or moved, its number stays. */
public final class EnumNumbers<E extends Enum<E>> {
    private final Class<E> kind;
    private final SortedMap<Integer, E> byNumber = new TreeMap<>();
    private final Map<E, Integer> numbers;

    private EnumNumbers(Class<E> kind) {
        this.kind = kind;
        this.numbers = new EnumMap<>(kind);
    }

    static <E extends Enum<E>> Builder<E> of(Class<E> kind) {
        return new Builder<>(kind);
    }

    /** Gives each constant its number, once. */
    static final class Builder<E extends Enum<E>> {
        private final EnumNumbers<E> numbers;

        Builder(Class<E> kind) {
            this.numbers = new EnumNumbers<>(kind);
        }

        Builder<E> at(int number, E constant) {
            if (numbers.byNumber.put(number, constant) != null || numbers.numbers.put(constant, number) != null) {
                throw new IllegalArgumentException(constant + " or the number " + number + " is there twice");
            }
            return this;
        }

        /** @throws IllegalStateException when a constant has no number */
        EnumNumbers<E> complete() {
            for (E constant : numbers.kind.getEnumConstants()) {
                if (!numbers.numbers.containsKey(constant)) {
                    throw new IllegalStateException(
                            numbers.kind.getName() + "." + constant.name() + " has no number: give it the next one");
                }
            }
            return numbers;
        }
    }

    public Class<E> kind() {
        return kind;
    }

    public SortedMap<Integer, E> all() {
        return Collections.unmodifiableSortedMap(byNumber);
    }

    public void write(RowWriter out, E constant) {
        out.number(numbers.get(constant));
    }

    public E read(RowReader in) {
        int number = in.smallNumber();
        E constant = byNumber.get(number);
        if (constant == null) {
            throw new IllegalStateException("no " + kind.getSimpleName() + " has the number " + number);
        }
        return constant;
    }
}
