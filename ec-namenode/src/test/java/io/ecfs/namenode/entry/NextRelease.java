package io.ecfs.namenode.entry;

import io.ecfs.message.FeatureLevel;
import io.ecfs.namenode.command.Command;
import io.ecfs.namenode.form.Form;
import io.ecfs.namenode.form.Forms;
import io.ecfs.namenode.row.RowReader;
import io.ecfs.namenode.row.RowWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A release of the feature level behind this one's, in which steps of purging are another kind. */
public final class NextRelease {
    public static final int LEVEL = FeatureLevel.RELEASE + 1;
    static final int KIND = 63;

    private NextRelease() {}

    public static CommandCodec codec() {
        return new CommandCodec(LEVEL, with(purge(KIND, LEVEL, false)));
    }

    /** Its steps of purging are written, but refused by what reads them. */
    public static CommandCodec unreadable(String reason) {
        Form<Command.PurgeStep> form = Form.of(KIND, Command.PurgeStep.class, (out, step) -> {}, in -> {
            throw new IllegalArgumentException(reason);
        });
        return new CommandCodec(FeatureLevel.RELEASE, with(form));
    }

    static Form<Command.PurgeStep> purge(int number, int since, boolean field) {
        return new Form<>(
                number,
                since,
                Command.PurgeStep.class,
                (out, c) -> out.i64(c.nowMillis())
                        .number(c.budget())
                        .number(c.upTo())
                        .tagged(1, LEVEL, field ? Optional.of("new") : Optional.empty(), RowWriter::text),
                in -> {
                    Command.PurgeStep step = new Command.PurgeStep(in.i64(), in.smallNumber(), in.number());
                    in.tagged(1, RowReader::text);
                    return step;
                });
    }

    static Forms<Command> with(Form<Command.PurgeStep> purge) {
        List<Form<? extends Command>> forms =
                new ArrayList<>(LogKinds.COMMANDS.all().values());
        forms.removeIf(form -> form.kind() == Command.PurgeStep.class);
        forms.add(purge);
        return new Forms<>("command", forms);
    }
}
