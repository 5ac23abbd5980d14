package io.ecfs.namenode.entry;

import io.ecfs.message.FeatureLevel;
import io.ecfs.message.VolumeId;
import io.ecfs.message.namespace.FileStatus;
import io.ecfs.message.namespace.RefusedFile;
import io.ecfs.namenode.command.CommandResult;
import io.ecfs.namenode.form.Fields;
import io.ecfs.namenode.form.Form;
import io.ecfs.namenode.form.Numbers;
import io.ecfs.namenode.group.GroupFacts;
import io.ecfs.namenode.group.GroupForm;
import io.ecfs.namenode.row.RowReader;
import io.ecfs.namenode.row.RowWriter;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The forms of outcomes, which are stored in rows. */
final class AppliedForms {
    /** Tag of a status' field. */
    private static final int ENCODING = 1;

    private static final int PACKING = 2;

    static final List<Form<? extends CommandResult>> ALL = List.of(
            Form.of(
                    64,
                    CommandResult.Refused.class,
                    (out, a) -> {
                        Numbers.ERROR.write(out, a.code());
                        out.text(a.message());
                    },
                    in -> new CommandResult.Refused(Numbers.ERROR.read(in), in.text())),
            Form.of(65, CommandResult.Done.class, (out, a) -> {}, in -> new CommandResult.Done()),
            Form.of(
                    66,
                    CommandResult.Status.class,
                    (out, a) -> status(out, a.status()),
                    in -> new CommandResult.Status(status(in))),
            Form.of(
                    67,
                    CommandResult.Created.class,
                    (out, a) -> {
                        status(out, a.status());
                        group(out, a.first());
                    },
                    in -> new CommandResult.Created(status(in), group(in))),
            Form.of(
                    68,
                    CommandResult.Allocated.class,
                    (out, a) -> group(out, a.group()),
                    in -> new CommandResult.Allocated(group(in))),
            Form.of(
                    69,
                    CommandResult.Recovery.class,
                    (out, a) -> {
                        Fields.inode(out, a.file());
                        out.flag(a.closed());
                    },
                    in -> new CommandResult.Recovery(Fields.inode(in), in.flag())),
            Form.of(
                    70,
                    CommandResult.Formatted.class,
                    (out, a) -> out.text(a.clusterId()),
                    in -> new CommandResult.Formatted(in.text())),
            Form.of(
                    71,
                    CommandResult.Registered.class,
                    (out, a) -> out.list(new TreeMap<>(a.volumes()).entrySet(), AppliedForms::numbered),
                    in -> new CommandResult.Registered(in.list(AppliedForms::numbered).stream()
                            .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)))),
            Form.of(
                    72,
                    CommandResult.RepairBegun.class,
                    (out, a) -> Fields.chunk(out, a.chunk()),
                    in -> new CommandResult.RepairBegun(Fields.chunk(in))),
            Form.of(
                    73,
                    CommandResult.Purged.class,
                    (out, a) -> out.number(a.pending()),
                    in -> new CommandResult.Purged(in.number())),
            new Form<>(
                    74,
                    FeatureLevel.PACKS,
                    CommandResult.Committed.class,
                    (out, a) -> out.list(a.refused(), AppliedForms::refused),
                    in -> new CommandResult.Committed(in.list(AppliedForms::refused))),
            new Form<>(
                    75,
                    FeatureLevel.REWRITES,
                    CommandResult.ConversionBegun.class,
                    (out, a) -> out.number(a.job()),
                    in -> new CommandResult.ConversionBegun(in.number())),
            new Form<>(
                    76,
                    FeatureLevel.UPDATES,
                    CommandResult.Updating.class,
                    (out, a) -> {
                        status(out, a.status());
                        out.number(a.version()).list(a.patches(), MutationForms::patch);
                    },
                    in -> new CommandResult.Updating(status(in), in.number(), in.list(MutationForms::patch))));

    private AppliedForms() {}

    private static void numbered(RowWriter out, Map.Entry<String, VolumeId> volume) {
        Fields.volume(out.text(volume.getKey()), volume.getValue());
    }

    private static Map.Entry<String, VolumeId> numbered(RowReader in) {
        return Map.entry(in.text(), Fields.volume(in));
    }

    /** Status and group are parts of their own, so that fields may come behind. */
    private static void status(RowWriter out, FileStatus status) {
        out.part(part -> {
            Fields.path(part, status.path());
            Fields.inode(part, status.inode());
            part.flag(status.directory())
                    .number(status.length())
                    .flag(status.open())
                    .number(status.mode())
                    .text(status.owner())
                    .text(status.group())
                    .i64(status.modifiedMillis())
                    .i64(status.accessedMillis());
            Fields.policy(part, status.policy());
            part.tagged(ENCODING, FeatureLevel.ENCODING_SIDES, status.encoding(), Numbers.ENCODING_SIDE::write);
            part.tagged(PACKING, FeatureLevel.PACKS, status.packedUpTo(), RowWriter::number);
        });
    }

    private static FileStatus status(RowReader in) {
        return in.part(part -> new FileStatus(
                Fields.path(part),
                Fields.inode(part),
                part.flag(),
                part.number(),
                part.flag(),
                part.smallNumber(),
                part.text(),
                part.text(),
                part.i64(),
                part.i64(),
                Fields.policy(part),
                part.tagged(ENCODING, Numbers.ENCODING_SIDE::read),
                part.tagged(PACKING, RowReader::number)));
    }

    private static void group(RowWriter out, GroupFacts facts) {
        out.part(part -> {
            Fields.group(part, facts.group());
            GroupForm.write(part, facts);
        });
    }

    private static GroupFacts group(RowReader in) {
        return in.part(part -> GroupForm.read(part, Fields.group(part)));
    }

    private static void refused(RowWriter out, RefusedFile file) {
        Fields.inode(out, file.file());
        Numbers.ERROR.write(out, file.code());
        out.text(file.reason());
    }

    private static RefusedFile refused(RowReader in) {
        return new RefusedFile(Fields.inode(in), Numbers.ERROR.read(in), in.text());
    }
}
