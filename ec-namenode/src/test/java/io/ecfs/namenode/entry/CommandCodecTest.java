package io.ecfs.namenode.entry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.FeatureLevel;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.message.namespace.NamespaceRequest.Mutation;
import io.ecfs.namenode.command.Command;
import io.ecfs.namenode.command.CommandResult;
import io.ecfs.namenode.row.RowWriter;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class CommandCodecTest {
    private static final Command PURGE = new Command.PurgeStep(12, 5);

    private final CommandCodec codec = new CommandCodec();

    static Stream<Command> commands() {
        return Samples.commands()
                .filter(c -> !(c instanceof Command.Call call && call.mutation() instanceof NamespaceRequest.SetXAttr));
    }

    static Stream<CommandResult> outcomes() {
        return Samples.outcomes();
    }

    @ParameterizedTest
    @MethodSource("commands")
    void everyCommandComesBackEqual(Command command) throws EcfsException {
        assertThat(codec.command(codec.encode(command))).isEqualTo(command);
    }

    @Test
    void anAttributeComesBackWithItsValue() throws EcfsException {
        Command.Call call = Samples.call(Samples.attribute());
        Mutation read = ((Command.Call) codec.command(codec.encode(call))).mutation();
        assertThat(read).usingRecursiveComparison().isEqualTo(call.mutation());
    }

    @ParameterizedTest
    @MethodSource("outcomes")
    void everyOutcomeComesBackEqual(CommandResult applied) throws EcfsException {
        assertThat(codec.applied(codec.encode(applied))).isEqualTo(applied);
    }

    @Test
    void damagedBytesAreRefusedOrReadButNeverBreakOut() {
        List<byte[]> originals = Stream.concat(
                        Samples.commands().map(codec::encode),
                        Samples.outcomes().map(codec::encode))
                .toList();
        for (long seed = 0; seed < 4000; seed++) {
            Random random = new Random(seed);
            byte[] bytes = originals.get(random.nextInt(originals.size())).clone();
            bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
            byte[] damaged = random.nextBoolean() ? bytes : Arrays.copyOf(bytes, random.nextInt(bytes.length));
            try {
                codec.command(damaged);
                codec.applied(damaged);
            } catch (EcfsException e) {
                assertThat(e.code())
                        .as("seed %d: %s", seed, e.getMessage())
                        .isIn(ErrorCode.MALFORMED, ErrorCode.INCOMPATIBLE_VERSION);
            }
        }
    }

    @Test
    void everyCutIsRefused() {
        byte[] bytes = codec.encode(Samples.call(Samples.attribute()));
        for (int length = 0; length < bytes.length; length++) {
            byte[] cut = Arrays.copyOf(bytes, length);
            assertThatThrownBy(() -> codec.command(cut))
                    .as("cut to %d bytes", length)
                    .isInstanceOfSatisfying(
                            EcfsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.MALFORMED));
        }
    }

    @Test
    void aKindOfALaterLevelIsRefusedWithTheReleaseThatIsNeeded() throws EcfsException {
        CommandCodec next = NextRelease.codec();
        byte[] bytes = next.encode(PURGE);

        assertThat(CommandCodec.levelOf(bytes)).isEqualTo(NextRelease.LEVEL);
        assertThat(next.command(bytes)).isEqualTo(PURGE);
        assertThatThrownBy(() -> codec.command(bytes))
                .isInstanceOfSatisfying(
                        EcfsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INCOMPATIBLE_VERSION))
                .hasMessageContaining("kind 63 has feature level " + NextRelease.LEVEL
                        + ", this release reads up to level " + FeatureLevel.RELEASE)
                .hasMessageContaining("start a release of level " + NextRelease.LEVEL + " or above");
    }

    /** The field raises the level of the commands that have it, and of no other. */
    @Test
    void aFieldOfALaterLevelIsRefusedWhereItIsWritten() throws EcfsException {
        CommandCodec with = new CommandCodec(NextRelease.LEVEL, NextRelease.with(NextRelease.purge(10, 1, true)));
        byte[] plain = codec.encode(PURGE);
        byte[] field = with.encode(PURGE);

        assertThat(CommandCodec.levelOf(plain)).isEqualTo(1);
        assertThat(CommandCodec.levelOf(field)).isEqualTo(NextRelease.LEVEL);
        assertThat(with.command(plain)).as("an optional field may be missing").isEqualTo(PURGE);
        assertThat(with.command(field)).isEqualTo(PURGE);
        assertThatThrownBy(() -> codec.command(field)).hasMessageContaining("feature level " + NextRelease.LEVEL);
    }

    /** Were it skipped, two releases would apply one entry in two ways. */
    @Test
    void anUnknownFieldAtAKnownLevelIsNotSkipped() {
        byte[] body = new RowWriter()
                .i64(12)
                .number(5)
                .tagged(1, 1, Optional.of("x"), RowWriter::text)
                .bytes();
        byte[] bytes = new RowWriter().u8(2).number(10).number(1).blob(body).bytes();
        assertThatThrownBy(() -> codec.command(bytes))
                .isInstanceOfSatisfying(
                        EcfsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.MALFORMED))
                .hasMessageContaining("bytes after its end");
    }

    @Test
    void aNumberWithoutAKindIsNoCommand() {
        byte[] bytes =
                new RowWriter().u8(2).number(62).number(1).blob(new byte[0]).bytes();
        assertThatThrownBy(() -> codec.command(bytes)).hasMessageContaining("no command has the number 62");
    }
}
