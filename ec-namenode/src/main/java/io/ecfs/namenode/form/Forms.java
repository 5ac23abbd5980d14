package io.ecfs.namenode.form;

import io.ecfs.namenode.row.RowReader;
import io.ecfs.namenode.row.RowWriter;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The forms of one sealed type: number of the kind, length, body. Tests compare the kinds with the type's permitted
 * subclasses. Immutable.
 */
public final class Forms<S> {
    private final String name;
    private final SortedMap<Integer, Form<? extends S>> byNumber = new TreeMap<>();
    private final Map<Class<?>, Form<? extends S>> byKind = new HashMap<>();

    /** @param name of the type, for messages */
    public Forms(String name, List<Form<? extends S>> forms) {
        this.name = name;
        for (Form<? extends S> form : forms) {
            if (byNumber.put(form.number(), form) != null || byKind.put(form.kind(), form) != null) {
                throw new IllegalArgumentException("two " + name + " forms are called " + form.number() + " or "
                        + form.kind().getName());
            }
        }
    }

    /** Every form, by its number. */
    public SortedMap<Integer, Form<? extends S>> all() {
        return Collections.unmodifiableSortedMap(byNumber);
    }

    public Optional<Form<? extends S>> of(int number) {
        return Optional.ofNullable(byNumber.get(number));
    }

    /** @throws IllegalArgumentException for a kind without a form: it cannot be stored */
    public Form<? extends S> of(S value) {
        Form<? extends S> form = byKind.get(value.getClass());
        if (form == null) {
            throw new IllegalArgumentException(value.getClass().getName() + " has no number among the " + name
                    + " forms and can be neither logged nor stored");
        }
        return form;
    }

    /** Writes number, length and body. */
    public void write(RowWriter out, S value) {
        Form<? extends S> form = of(value);
        out.number(form.number()).part(body -> form.writeBody(body, value));
    }

    /** Reads what {@link #write} wrote. */
    public S read(RowReader in) {
        int number = in.smallNumber();
        Form<? extends S> form =
                of(number).orElseThrow(() -> new IllegalStateException("no " + name + " has the number " + number));
        return in.<S>part(form.read()::apply);
    }

    /** Writes the body alone, for an envelope that has number and length. */
    public void writeBody(RowWriter out, S value) {
        of(value).writeBody(out, value);
    }
}
