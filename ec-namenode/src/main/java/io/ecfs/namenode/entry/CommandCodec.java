package io.ecfs.namenode.entry;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.FeatureLevel;
import io.ecfs.namenode.command.Command;
import io.ecfs.namenode.command.CommandResult;
import io.ecfs.namenode.form.Form;
import io.ecfs.namenode.form.Forms;
import io.ecfs.namenode.legacy.LegacyCommands;
import io.ecfs.namenode.row.RowReader;
import io.ecfs.namenode.row.RowWriter;
import java.io.IOException;

/**
 * Commands and outcomes as bytes, each in one envelope:
 *
 * <pre>
 *   envelope = u8 2 | number kind | number level | number of bytes | body
 * </pre>
 *
 * The kind is a number of {@link LogKinds}, the level the feature level that reading this body takes. Bytes of the
 * release before envelopes begin with another byte and are read as well. Safe for use by many threads.
 */
public final class CommandCodec {
    private static final int ENVELOPE = 2;

    private final int level;
    private final Forms<Command> commands;
    private final LegacyCommands legacy = new LegacyCommands();

    /** Of this release. */
    public CommandCodec() {
        this(FeatureLevel.RELEASE, LogKinds.COMMANDS);
    }

    /** @param level up to which this release reads */
    public CommandCodec(int level, Forms<Command> commands) {
        this.level = level;
        this.commands = commands;
    }

    /** The feature level up to which this reads. */
    public int level() {
        return level;
    }

    public byte[] encode(Command command) {
        return envelope(commands, command);
    }

    public byte[] encode(CommandResult applied) {
        return envelope(LogKinds.OUTCOMES, applied);
    }

    /** The feature level that reading an encoded command takes. */
    public static int levelOf(byte[] encoded) {
        if (LegacyCommands.wrote(encoded)) {
            return FeatureLevel.NONE;
        }
        RowReader in = new RowReader(encoded);
        in.version(ENVELOPE, "command");
        in.smallNumber();
        return in.smallNumber();
    }

    /**
     * @throws EcfsException {@code INCOMPATIBLE_VERSION} when only a later release reads it, {@code MALFORMED} when the
     *     bytes are no command at all
     */
    public Command command(byte[] bytes) throws EcfsException {
        return read(bytes, "command", commands, legacy::command);
    }

    /** @throws EcfsException as {@link #command} */
    public CommandResult applied(byte[] bytes) throws EcfsException {
        return read(bytes, "outcome", LogKinds.OUTCOMES, legacy::applied);
    }

    private static <S> byte[] envelope(Forms<S> forms, S value) {
        RowWriter body = new RowWriter();
        forms.writeBody(body, value);
        return new RowWriter()
                .u8(ENVELOPE)
                .number(forms.of(value).number())
                .number(body.level())
                .blob(body.bytes())
                .bytes();
    }

    private interface Legacy<S> {
        S read(byte[] bytes) throws IOException;
    }

    private <S> S read(byte[] bytes, String what, Forms<S> forms, Legacy<S> earlier) throws EcfsException {
        try {
            return LegacyCommands.wrote(bytes) ? earlier.read(bytes) : read(new RowReader(bytes), what, forms);
        } catch (EcfsException e) {
            throw e.code() == ErrorCode.INCOMPATIBLE_VERSION ? e : malformed(bytes, what, e);
        } catch (IOException | RuntimeException e) {
            throw malformed(bytes, what, e);
        }
    }

    private <S> S read(RowReader in, String what, Forms<S> forms) throws EcfsException {
        in.version(ENVELOPE, what);
        int kind = in.smallNumber();
        int needed = in.smallNumber();
        if (needed > level) {
            throw new EcfsException(
                    ErrorCode.INCOMPATIBLE_VERSION,
                    "a " + what + " of kind " + kind + " has feature level " + needed
                            + ", this release reads up to level " + level + ": start a release of level " + needed
                            + " or above");
        }
        Form<? extends S> form =
                forms.of(kind).orElseThrow(() -> new IllegalStateException("no " + what + " has the number " + kind));
        if (needed < form.since()) {
            throw new IllegalStateException(
                    what + " " + kind + " of level " + needed + " began with level " + form.since());
        }
        S value = in.<S>part(form.read()::apply);
        in.end();
        return value;
    }

    private static EcfsException malformed(byte[] bytes, String what, Exception e) {
        String reason = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
        return new EcfsException(ErrorCode.MALFORMED, bytes.length + " bytes are no " + what + ": " + reason, e);
    }
}
