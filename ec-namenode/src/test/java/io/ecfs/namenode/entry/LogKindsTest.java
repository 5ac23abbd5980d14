package io.ecfs.namenode.entry;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.message.namespace.NamespaceRequest.Mutation;
import io.ecfs.message.report.ClusterEvent;
import io.ecfs.namenode.command.Command;
import io.ecfs.namenode.command.CommandResult;
import io.ecfs.namenode.form.EnumNumbers;
import io.ecfs.namenode.form.EventForms;
import io.ecfs.namenode.form.Forms;
import io.ecfs.namenode.form.Numbers;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class LogKindsTest {
    private final CommandCodec codec = new CommandCodec();

    @Test
    void everyRecordOfTheLogHasANumberAndASample() {
        check(Command.class, LogKinds.COMMANDS, Samples.commands());
        check(CommandResult.class, LogKinds.OUTCOMES, Samples.outcomes());
        check(Mutation.class, LogKinds.MUTATIONS, Stream.concat(Samples.mutations(), Stream.of(Samples.attribute())));
        check(ClusterEvent.class, EventForms.EVENTS, Samples.events());
    }

    private static <S> void check(Class<S> sealed, Forms<S> forms, Stream<? extends S> samples) {
        List<Class<?>> kinds = records(sealed).toList();
        assertThat(forms.all().values().stream().<Class<?>>map(form -> form.kind()))
                .as("kinds of %s with a number", sealed.getSimpleName())
                .containsExactlyInAnyOrderElementsOf(kinds);
        assertThat(samples.<Class<?>>map(Object::getClass).distinct())
                .as("kinds of %s with a sample", sealed.getSimpleName())
                .containsExactlyInAnyOrderElementsOf(kinds);
    }

    /**
     * A number that changes hands makes old logs mean something else: add lines to the golden file, never change a
     * number. A line of a class or constant that was renamed gets the new name.
     */
    @Test
    void numbersAreThoseOfTheGoldenFile() throws IOException {
        StringBuilder actual = new StringBuilder();
        numbers(actual, "command", LogKinds.COMMANDS);
        numbers(actual, "outcome", LogKinds.OUTCOMES);
        numbers(actual, "call", LogKinds.MUTATIONS);
        numbers(actual, "event", EventForms.EVENTS);
        for (EnumNumbers<?> constants : Numbers.all()) {
            constants
                    .all()
                    .forEach((number, constant) -> actual.append(shortName(constants.kind()))
                            .append(' ')
                            .append(number)
                            .append(' ')
                            .append(constant.name())
                            .append('\n'));
        }
        assertThat(actual.toString()).isEqualTo(golden("log-numbers.txt"));
    }

    private static String shortName(Class<?> kind) {
        return kind.getName().substring(kind.getPackageName().length() + 1);
    }

    private static void numbers(StringBuilder out, String what, Forms<?> forms) {
        new TreeMap<>(forms.all())
                .forEach((number, form) -> out.append(what)
                        .append(' ')
                        .append(number)
                        .append(" since ")
                        .append(form.since())
                        .append(' ')
                        .append(form.kind().getSimpleName())
                        .append('\n'));
    }

    /**
     * What a release wrote, every later one reads: the bytes of a sample of each kind change only while its level is
     * not out yet.
     */
    @Test
    void entriesHaveTheBytesOfTheGoldenFile() throws IOException {
        String actual = Stream.concat(
                        Samples.commands().map(c -> line(c, codec.encode(c))),
                        Samples.outcomes().map(a -> line(a, codec.encode(a))))
                .collect(Collectors.joining("\n", "", "\n"));
        assertThat(actual).isEqualTo(golden("log-entries.txt"));
    }

    private static String line(Object value, byte[] bytes) {
        String kind = value instanceof Command.Call call
                ? "Call:" + call.mutation().getClass().getSimpleName()
                : value.getClass().getSimpleName();
        return kind + " " + HexFormat.of().formatHex(bytes);
    }

    private static String golden(String name) throws IOException {
        try (InputStream golden = LogKindsTest.class.getResourceAsStream(name)) {
            return new String(golden.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static Stream<Class<?>> records(Class<?> kind) {
        return kind.isSealed()
                ? Stream.of(kind.getPermittedSubclasses())
                        .flatMap(LogKindsTest::records)
                        .distinct()
                : Stream.of(kind);
    }
}
