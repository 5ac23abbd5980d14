package io.ecfs.namenode.legacy;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.message.FeatureLevel;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.namenode.command.Command;
import io.ecfs.namenode.command.CommandResult;
import io.ecfs.namenode.entry.CommandCodec;
import io.ecfs.namenode.entry.Samples;
import io.ecfs.namenode.group.GroupOwner;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The file has the samples as 6e8d76b encoded them, in their order. */
class LegacyCommandsTest {
    private static final Set<Class<?>> SINCE = Set.of(
            Command.CheckState.class,
            Command.RaiseLevel.class,
            NamespaceRequest.OpenSession.class,
            NamespaceRequest.AdmitDatanode.class);

    private static boolean known(Command command) {
        return CommandCodec.levelOf(new CommandCodec().encode(command)) <= FeatureLevel.FIRST
                && !SINCE.contains(command.getClass())
                && !(command instanceof Command.Format format && format.log().isEmpty())
                && !(command instanceof Command.Call call
                        && SINCE.contains(call.mutation().getClass()));
    }

    private static boolean known(CommandResult outcome) {
        boolean later = outcome instanceof CommandResult.Committed
                || outcome instanceof CommandResult.Updating
                || outcome instanceof CommandResult.ConversionBegun
                || (outcome instanceof CommandResult.Created created
                        && (created.status().encoding().isPresent()
                                || created.status().packedUpTo().isPresent()));
        return !later
                && (!(outcome instanceof CommandResult.Allocated allocated)
                        || allocated.group().owner() instanceof GroupOwner.File);
    }

    @Test
    void whatTheReleaseBeforeFeatureLevelsLoggedIsRead() throws Exception {
        List<?> samples = Stream.concat(
                        Samples.commands().filter(LegacyCommandsTest::known),
                        Samples.outcomes().filter(LegacyCommandsTest::known))
                .toList();
        List<String> lines;
        try (InputStream golden = getClass().getResourceAsStream("entries-of-6e8d76b.txt")) {
            lines = new String(golden.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
        }
        assertThat(lines).hasSameSizeAs(samples);
        CommandCodec codec = new CommandCodec();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            byte[] bytes = HexFormat.of().parseHex(line.substring(line.indexOf(' ') + 1));
            Object read = line.startsWith("command ") ? codec.command(bytes) : codec.applied(bytes);
            assertThat(read)
                    .usingRecursiveComparison()
                    .ignoringFieldsMatchingRegexes("log", "level", "(.*\\.)?stamp") // came later
                    .isEqualTo(samples.get(i));
        }
    }
}
