package io.ecfs.namenode.entry;

import io.ecfs.layout.RingId;
import io.ecfs.message.AdminState;
import io.ecfs.message.CallerContext;
import io.ecfs.message.FeatureLevel;
import io.ecfs.message.datanode.TokenKey;
import io.ecfs.message.report.ClusterEvent;
import io.ecfs.namenode.command.CallerIdentity;
import io.ecfs.namenode.command.Command;
import io.ecfs.namenode.form.EventForms;
import io.ecfs.namenode.form.Fields;
import io.ecfs.namenode.form.Form;
import io.ecfs.namenode.form.Numbers;
import io.ecfs.namenode.group.ChunkOnVolume;
import io.ecfs.namenode.group.ConversionFacts;
import io.ecfs.namenode.group.RewritePiece;
import io.ecfs.namenode.history.HistoryBounds;
import io.ecfs.namenode.row.RowReader;
import io.ecfs.namenode.row.RowWriter;
import java.util.List;
import java.util.Optional;

/** The forms of commands. Each begins with the leader's time, except where it says otherwise. */
final class CommandForms {
    /** Tag of a call's field: the context of its caller. */
    private static final int CONTEXT = 1;

    static final List<Form<? extends Command>> ALL = List.of(
            Form.of(
                    1,
                    Command.Format.class,
                    (out, c) -> {
                        out.i64(c.nowMillis()).text(c.clusterId()).text(c.owner());
                        Fields.policy(out, c.defaultPolicy());
                        out.maybe(c.log(), RowWriter::text).maybe(c.level(), (level, l) -> level.number(l));
                        out.needs(c.level().orElse(FeatureLevel.FIRST));
                    },
                    in -> new Command.Format(
                            in.i64(),
                            in.text(),
                            in.text(),
                            Fields.policy(in),
                            in.maybe(RowReader::text),
                            in.maybe(RowReader::smallNumber))),
            Form.of(2, Command.Call.class, CommandForms::call, CommandForms::call),
            Form.of(
                    3,
                    Command.BeginRecovery.class,
                    (out, c) -> {
                        out.i64(c.nowMillis());
                        Fields.inode(out, c.file());
                        out.text(c.holder());
                    },
                    in -> new Command.BeginRecovery(in.i64(), Fields.inode(in), in.text())),
            Form.of(
                    4,
                    Command.FinishRecovery.class,
                    (out, c) -> {
                        out.i64(c.nowMillis());
                        Fields.inode(out, c.file());
                        out.maybe(c.last(), MutationForms::sealed);
                    },
                    in -> new Command.FinishRecovery(in.i64(), Fields.inode(in), in.maybe(MutationForms::sealed))),
            Form.of(
                    5,
                    Command.MarkGarbage.class,
                    (out, c) -> {
                        stored(out.i64(c.nowMillis()), c.chunk());
                        out.list(c.proof(), Fields::chunk).maybe(c.stamp(), RowWriter::i32);
                    },
                    in -> new Command.MarkGarbage(
                            in.i64(), stored(in), in.list(Fields::chunk), in.maybe(RowReader::i32))),
            Form.of(
                    6,
                    Command.ForgetGarbage.class,
                    (out, c) -> out.i64(c.nowMillis()).list(c.chunks(), CommandForms::stored),
                    in -> new Command.ForgetGarbage(in.i64(), in.list(CommandForms::stored))),
            Form.of(
                    7,
                    Command.AdoptChunk.class,
                    (out, c) -> {
                        stored(out.i64(c.nowMillis()), c.chunk());
                        out.i64(c.groupLength()).maybe(c.stamp(), RowWriter::i32);
                    },
                    in -> new Command.AdoptChunk(in.i64(), stored(in), in.i64(), in.maybe(RowReader::i32))),
            Form.of(
                    8,
                    Command.BeginRepair.class,
                    (out, c) -> {
                        out.i64(c.nowMillis());
                        Fields.group(out, c.group());
                        out.u8(c.index());
                        Fields.volume(out, c.target());
                        out.i64(c.writer()).maybe(c.reason(), CommandForms::reason);
                    },
                    in -> new Command.BeginRepair(
                            in.i64(),
                            Fields.group(in),
                            in.u8(),
                            Fields.volume(in),
                            in.i64(),
                            in.maybe(CommandForms::reason))),
            Form.of(
                    9,
                    Command.CommitRepair.class,
                    (out, c) -> {
                        stored(out.i64(c.nowMillis()), c.chunk());
                        out.i64(c.groupLength())
                                .maybe(c.replaced(), Fields::volume)
                                .list(c.proof(), Fields::chunk)
                                .maybe(c.event(), EventForms.EVENTS::write);
                    },
                    in -> new Command.CommitRepair(
                            in.i64(),
                            stored(in),
                            in.i64(),
                            in.maybe(Fields::volume),
                            in.list(Fields::chunk),
                            in.maybe(EventForms.EVENTS::read).map(ClusterEvent.RepairCommitted.class::cast))),
            Form.of(
                    10,
                    Command.PurgeStep.class,
                    (out, c) -> out.i64(c.nowMillis()).number(c.budget()).number(c.upTo()),
                    in -> new Command.PurgeStep(in.i64(), in.smallNumber(), in.number())),
            Form.of(
                    11,
                    Command.RegisterDatanode.class,
                    (out, c) -> {
                        Fields.datanode(out.i64(c.nowMillis()), c.datanode());
                        Fields.address(out.text(c.uuid()), c.address());
                        out.text(c.rack()).list(c.volumes(), RowWriter::text);
                    },
                    in -> new Command.RegisterDatanode(
                            in.i64(),
                            Fields.datanode(in),
                            in.text(),
                            Fields.address(in),
                            in.text(),
                            in.list(RowReader::text))),
            Form.of(
                    12,
                    Command.ChangeAdminState.class,
                    (out, c) -> {
                        Fields.datanode(out.i64(c.nowMillis()), c.datanode());
                        adminState(out, c.expected());
                        Numbers.ADMIN_STATE.write(out, c.next());
                        out.text(c.reason());
                    },
                    in -> new Command.ChangeAdminState(
                            in.i64(), Fields.datanode(in), adminState(in), Numbers.ADMIN_STATE.read(in), in.text())),
            Form.of(
                    13,
                    Command.RollKeys.class,
                    (out, c) -> out.i64(c.nowMillis())
                            .i32(c.key().id())
                            .blob(c.key().secret())
                            .i64(c.key().expiresAtMillis()),
                    in -> new Command.RollKeys(in.i64(), new TokenKey(in.i32(), in.blob(), in.i64()))),
            Form.of(
                    14,
                    Command.RecordEvents.class,
                    (out, c) -> out.i64(c.nowMillis())
                            .number(c.bounds().events())
                            .number(c.bounds().incidents())
                            .number(c.bounds().chunks())
                            .list(c.events(), CommandForms::noted),
                    in -> new Command.RecordEvents(
                            in.i64(),
                            new HistoryBounds(in.smallNumber(), in.smallNumber(), in.smallNumber()),
                            in.list(CommandForms::noted))),
            Form.of(
                    15,
                    Command.CheckState.class,
                    (out, c) -> out.i64(c.nowMillis())
                            .text(c.namenode())
                            .number(c.index())
                            .i64(c.hash()),
                    in -> new Command.CheckState(in.i64(), in.text(), in.number(), in.i64())),
            Form.of(
                    16,
                    Command.RaiseLevel.class,
                    (out, c) -> out.needs(c.level()).i64(c.nowMillis()).number(c.level()),
                    in -> new Command.RaiseLevel(in.i64(), in.smallNumber())),
            new Form<>(
                    17,
                    FeatureLevel.REWRITES,
                    Command.BeginRewrite.class,
                    (out, c) -> {
                        out.i64(c.nowMillis()).list(c.pieces(), RewritePiece::write);
                        Fields.policy(out, c.policy());
                        out.list(c.candidates(), Fields::volume).i32(c.stamp());
                    },
                    in -> new Command.BeginRewrite(
                            in.i64(),
                            in.list(RewritePiece::read),
                            Fields.policy(in),
                            in.list(Fields::volume),
                            in.i32())),
            new Form<>(
                    18,
                    FeatureLevel.REWRITES,
                    Command.CommitRewrite.class,
                    (out, c) -> MutationForms.sealed(out.i64(c.nowMillis()), c.word()),
                    in -> new Command.CommitRewrite(in.i64(), MutationForms.sealed(in))),
            new Form<>(
                    19,
                    FeatureLevel.REWRITES,
                    Command.AbortRewrite.class,
                    (out, c) -> Fields.group(out.i64(c.nowMillis()), c.group()),
                    in -> new Command.AbortRewrite(in.i64(), Fields.group(in))),
            new Form<>(
                    20,
                    FeatureLevel.REWRITES,
                    Command.AdoptPolicy.class,
                    (out, c) -> {
                        Fields.inode(out.i64(c.nowMillis()), c.file());
                        Fields.policy(out, c.policy());
                    },
                    in -> new Command.AdoptPolicy(in.i64(), Fields.inode(in), Fields.policy(in))),
            new Form<>(
                    21,
                    FeatureLevel.REWRITES,
                    Command.RecordConversion.class,
                    (out, c) -> {
                        ConversionFacts.progress(out.i64(c.nowMillis()).number(c.job()), c.progress());
                        out.maybe(c.firstFailure(), RowWriter::text).maybe(c.end(), Numbers.CONVERSION::write);
                    },
                    in -> new Command.RecordConversion(
                            in.i64(),
                            in.number(),
                            ConversionFacts.progress(in),
                            in.maybe(RowReader::text),
                            in.maybe(Numbers.CONVERSION::read))),
            new Form<>(
                    22,
                    FeatureLevel.RINGS,
                    Command.AdaptRing.class,
                    (out, c) -> out.i64(c.nowMillis())
                            .number(c.ring().value())
                            .number(c.epoch())
                            .maybe(c.writers(), (part, writers) -> part.number(writers))
                            .list(c.successions(), (part, s) -> {
                                Fields.volume(part, s.failed());
                                Fields.volume(part, s.spare());
                            })
                            .list(c.emptied(), Fields::volume)
                            .text(c.reason()),
                    in -> new Command.AdaptRing(
                            in.i64(),
                            new RingId(in.smallNumber()),
                            in.number(),
                            in.maybe(RowReader::smallNumber),
                            in.list(part -> new Command.AdaptRing.Succession(Fields.volume(part), Fields.volume(part))),
                            in.list(Fields::volume),
                            in.text())));

    private CommandForms() {}

    private static void call(RowWriter out, Command.Call call) {
        out.i64(call.nowMillis()).text(call.caller().user()).list(call.caller().groups(), RowWriter::text);
        MutationForms.MUTATIONS.write(out, call.mutation());
        out.list(call.candidates(), Fields::volume).maybe(call.expiredHolder(), RowWriter::text);
        out.maybe(call.stamp(), RowWriter::i32);
        Optional<String> context = Optional.of(call.caller().context().text()).filter(text -> !text.isEmpty());
        out.tagged(CONTEXT, FeatureLevel.RECORDED_SETTINGS, context, RowWriter::text);
    }

    private static Command.Call call(RowReader in) {
        long nowMillis = in.i64();
        CallerIdentity caller = new CallerIdentity(in.text(), in.list(RowReader::text));
        Command.Call call = new Command.Call(
                nowMillis,
                caller,
                MutationForms.MUTATIONS.read(in),
                in.list(Fields::volume),
                in.maybe(RowReader::text),
                in.maybe(RowReader::i32));
        return in.tagged(CONTEXT, RowReader::text)
                .map(context -> call.by(new CallerIdentity(caller.user(), caller.groups(), new CallerContext(context))))
                .orElse(call);
    }

    private static void stored(RowWriter out, ChunkOnVolume stored) {
        Fields.volume(out, stored.volume());
        Fields.chunk(out, stored.chunk());
    }

    private static ChunkOnVolume stored(RowReader in) {
        return new ChunkOnVolume(Fields.volume(in), Fields.chunk(in));
    }

    private static void reason(RowWriter out, Command.RepairReason reason) {
        out.part(part -> {
            EventForms.cause(part, reason.cause());
            part.i64(reason.detectedMillis()).i64(reason.deadMillis()).i64(reason.checkedMillis());
            Fields.datanode(part, reason.datanode());
            part.text(reason.text());
        });
    }

    private static Command.RepairReason reason(RowReader in) {
        return in.part(part -> new Command.RepairReason(
                EventForms.cause(part), part.i64(), part.i64(), part.i64(), Fields.datanode(part), part.text()));
    }

    private static void adminState(RowWriter out, AdminState adminState) {
        Numbers.ADMIN_STATE.write(out, adminState.state());
        out.i64(adminState.sinceMillis()).maybe(adminState.untilMillis(), RowWriter::i64);
    }

    private static AdminState adminState(RowReader in) {
        return new AdminState(Numbers.ADMIN_STATE.read(in), in.i64(), in.maybe(RowReader::i64));
    }

    private static void noted(RowWriter out, Command.Noted noted) {
        EventForms.EVENTS.write(out.i64(noted.atMillis()), noted.event());
    }

    private static Command.Noted noted(RowReader in) {
        return new Command.Noted(in.i64(), EventForms.EVENTS.read(in));
    }
}
