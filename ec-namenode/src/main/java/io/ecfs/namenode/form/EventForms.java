package io.ecfs.namenode.form;

import io.ecfs.message.FeatureLevel;
import io.ecfs.message.chunk.RebuildWork;
import io.ecfs.message.report.ClusterEvent;
import io.ecfs.message.report.IncidentCause;
import io.ecfs.message.ring.RingSettings;
import io.ecfs.message.ring.RingVolumeChange;
import io.ecfs.namenode.row.RowReader;
import io.ecfs.namenode.row.RowWriter;
import java.util.List;

/** The forms of the history's events, in the log and in rows. */
public final class EventForms {
    public static final Forms<ClusterEvent> EVENTS = new Forms<>(
            "event",
            List.of(
                    Form.of(
                            1,
                            ClusterEvent.LeaderChanged.class,
                            (out, e) -> out.text(e.namenode()).i64(e.term()),
                            in -> new ClusterEvent.LeaderChanged(in.text(), in.i64())),
                    Form.of(
                            2,
                            ClusterEvent.DatanodeChanged.class,
                            (out, e) -> {
                                Fields.datanode(out, e.datanode());
                                Numbers.DATANODE_STATE.write(out, e.from());
                                Numbers.DATANODE_STATE.write(out, e.to());
                            },
                            in -> new ClusterEvent.DatanodeChanged(
                                    Fields.datanode(in),
                                    Numbers.DATANODE_STATE.read(in),
                                    Numbers.DATANODE_STATE.read(in))),
                    Form.of(
                            3,
                            ClusterEvent.AdminStateChanged.class,
                            (out, e) -> {
                                Fields.datanode(out, e.datanode());
                                Numbers.ADMIN_STATE.write(out, e.from());
                                Numbers.ADMIN_STATE.write(out, e.to());
                                out.maybe(e.untilMillis(), RowWriter::i64).text(e.reason());
                            },
                            in -> new ClusterEvent.AdminStateChanged(
                                    Fields.datanode(in),
                                    Numbers.ADMIN_STATE.read(in),
                                    Numbers.ADMIN_STATE.read(in),
                                    in.maybe(RowReader::i64),
                                    in.text())),
                    Form.of(
                            4,
                            ClusterEvent.IncidentOpened.class,
                            (out, e) -> {
                                cause(out, e.cause());
                                out.i64(e.detectedMillis()).i64(e.deadMillis());
                            },
                            in -> new ClusterEvent.IncidentOpened(cause(in), in.i64(), in.i64())),
                    Form.of(
                            5,
                            ClusterEvent.RepairPlanned.class,
                            (out, e) -> {
                                cause(out, e.cause());
                                Fields.chunk(out, e.chunk());
                                out.i64(e.detectedMillis()).i64(e.deadMillis()).i64(e.checkedMillis());
                                Fields.volume(out, e.target());
                                Fields.datanode(out, e.datanode());
                                out.text(e.reason());
                            },
                            in -> new ClusterEvent.RepairPlanned(
                                    cause(in),
                                    Fields.chunk(in),
                                    in.i64(),
                                    in.i64(),
                                    in.i64(),
                                    Fields.volume(in),
                                    Fields.datanode(in),
                                    in.text())),
                    Form.of(6, ClusterEvent.RepairCommitted.class, EventForms::committed, EventForms::committed),
                    Form.of(
                            7,
                            ClusterEvent.RepairFailed.class,
                            (out, e) -> {
                                cause(out, e.cause());
                                Fields.chunk(out, e.chunk());
                                Fields.datanode(out, e.datanode());
                                out.text(e.reason()).maybe(e.work(), EventForms::work);
                            },
                            in -> new ClusterEvent.RepairFailed(
                                    cause(in),
                                    Fields.chunk(in),
                                    Fields.datanode(in),
                                    in.text(),
                                    in.maybe(EventForms::work))),
                    Form.of(
                            8,
                            ClusterEvent.RepairWaits.class,
                            (out, e) -> {
                                cause(out, e.cause());
                                Fields.group(out, e.group());
                                out.u8(e.index())
                                        .i64(e.detectedMillis())
                                        .i64(e.deadMillis())
                                        .text(e.reason());
                            },
                            in -> new ClusterEvent.RepairWaits(
                                    cause(in), Fields.group(in), in.u8(), in.i64(), in.i64(), in.text())),
                    Form.of(
                            9,
                            ClusterEvent.IncidentHealed.class,
                            (out, e) -> cause(out, e.cause()),
                            in -> new ClusterEvent.IncidentHealed(cause(in))),
                    Form.of(
                            10,
                            ClusterEvent.CauseGone.class,
                            (out, e) -> cause(out, e.cause()),
                            in -> new ClusterEvent.CauseGone(cause(in))),
                    Form.of(
                            11,
                            ClusterEvent.ChunkMoved.class,
                            (out, e) -> {
                                Fields.chunk(out, e.chunk());
                                Fields.datanode(out, e.from());
                                Fields.datanode(out, e.to());
                                out.real(e.predictedGain()).real(e.accessGain()).real(e.balanceGain());
                            },
                            in -> new ClusterEvent.ChunkMoved(
                                    Fields.chunk(in),
                                    Fields.datanode(in),
                                    Fields.datanode(in),
                                    in.real(),
                                    in.real(),
                                    in.real())),
                    Form.of(
                            12,
                            ClusterEvent.MoveJudged.class,
                            (out, e) -> {
                                Fields.group(out, e.group());
                                out.u8(e.index());
                                Fields.datanode(out, e.from());
                                Fields.datanode(out, e.to());
                                out.real(e.predictedGain()).real(e.realisedGain());
                            },
                            in -> new ClusterEvent.MoveJudged(
                                    Fields.group(in),
                                    in.u8(),
                                    Fields.datanode(in),
                                    Fields.datanode(in),
                                    in.real(),
                                    in.real())),
                    new Form<>(
                            13,
                            FeatureLevel.RECORDED_SETTINGS,
                            ClusterEvent.ThrottlesChanged.class,
                            (out, e) -> out.maybe(e.repairsAtOnce(), RowWriter::i64)
                                    .maybe(e.repairsPerDatanode(), RowWriter::i64)
                                    .maybe(e.repairBytesPerSecond(), RowWriter::i64)
                                    .text(e.who()),
                            in -> new ClusterEvent.ThrottlesChanged(
                                    in.maybe(RowReader::i64),
                                    in.maybe(RowReader::i64),
                                    in.maybe(RowReader::i64),
                                    in.text())),
                    new Form<>(
                            14,
                            FeatureLevel.RECORDED_SETTINGS,
                            ClusterEvent.PolicyChanged.class,
                            (out, e) -> out.text(e.path())
                                    .maybe(e.from(), RowWriter::text)
                                    .maybe(e.to(), RowWriter::text)
                                    .text(e.who()),
                            in -> new ClusterEvent.PolicyChanged(
                                    in.text(), in.maybe(RowReader::text), in.maybe(RowReader::text), in.text())),
                    new Form<>(
                            15,
                            FeatureLevel.RECORDED_SETTINGS,
                            ClusterEvent.QuotaChanged.class,
                            (out, e) -> out.text(e.path())
                                    .maybe(e.names(), RowWriter::i64)
                                    .maybe(e.space(), RowWriter::i64)
                                    .text(e.who()),
                            in -> new ClusterEvent.QuotaChanged(
                                    in.text(), in.maybe(RowReader::i64), in.maybe(RowReader::i64), in.text())),
                    new Form<>(
                            17,
                            FeatureLevel.REWRITES,
                            ClusterEvent.ConversionChanged.class,
                            (out, e) -> {
                                out.text(e.path()).number(e.job()).text(e.policy());
                                Numbers.CONVERSION.write(out, e.to());
                                out.number(e.converted()).number(e.failed()).text(e.who());
                            },
                            in -> new ClusterEvent.ConversionChanged(
                                    in.text(),
                                    in.number(),
                                    in.text(),
                                    Numbers.CONVERSION.read(in),
                                    in.number(),
                                    in.number(),
                                    in.text())),
                    new Form<>(
                            18,
                            FeatureLevel.REWRITES,
                            ClusterEvent.GroupRewritten.class,
                            (out, e) -> {
                                cause(out, e.cause());
                                Fields.group(out, e.group());
                                out.text(e.why())
                                        .number(e.chunks())
                                        .number(e.bytesRead())
                                        .number(e.bytesWritten());
                            },
                            in -> new ClusterEvent.GroupRewritten(
                                    cause(in),
                                    Fields.group(in),
                                    in.text(),
                                    in.smallNumber(),
                                    in.number(),
                                    in.number())),
                    new Form<>(
                            19,
                            FeatureLevel.RINGS,
                            ClusterEvent.RingChanged.class,
                            EventForms::ringChanged,
                            EventForms::ringChanged),
                    new Form<>(
                            20,
                            FeatureLevel.RINGS,
                            ClusterEvent.DirectoryRingChanged.class,
                            (out, e) -> out.text(e.path())
                                    .maybe(e.from(), RowWriter::text)
                                    .maybe(e.to(), RowWriter::text)
                                    .text(e.who()),
                            in -> new ClusterEvent.DirectoryRingChanged(
                                    in.text(), in.maybe(RowReader::text), in.maybe(RowReader::text), in.text()))));

    private EventForms() {}

    public static void cause(RowWriter out, IncidentCause cause) {
        Numbers.CAUSE.write(out, cause.kind());
        out.maybe(cause.datanode(), Fields::datanode)
                .maybe(cause.volume(), Fields::volume)
                .maybe(cause.namenode(), RowWriter::text);
    }

    public static IncidentCause cause(RowReader in) {
        return new IncidentCause(
                Numbers.CAUSE.read(in),
                in.maybe(Fields::datanode),
                in.maybe(Fields::volume),
                in.maybe(RowReader::text));
    }

    private static void ringChanged(RowWriter out, ClusterEvent.RingChanged event) {
        out.text(event.ring())
                .number(event.epoch())
                .maybe(event.from(), EventForms::settings)
                .maybe(event.to(), EventForms::settings)
                .list(event.volumes(), EventForms::volume)
                .number(event.moreVolumes())
                .text(event.who());
    }

    private static ClusterEvent.RingChanged ringChanged(RowReader in) {
        return new ClusterEvent.RingChanged(
                in.text(),
                in.number(),
                in.maybe(EventForms::settings),
                in.maybe(EventForms::settings),
                in.list(EventForms::volume),
                in.smallNumber(),
                in.text());
    }

    private static void settings(RowWriter out, RingSettings settings) {
        out.number(settings.colours())
                .number(settings.writers())
                .flag(settings.adaptive())
                .number(settings.periodMillis())
                .flag(settings.paused())
                .flag(settings.dropping());
    }

    private static RingSettings settings(RowReader in) {
        return new RingSettings(in.smallNumber(), in.smallNumber(), in.flag(), in.number(), in.flag(), in.flag());
    }

    private static void volume(RowWriter out, RingVolumeChange change) {
        Fields.volume(out, change.volume());
        out.maybe(change.from(), Numbers.RING_DUTY::write)
                .maybe(change.to(), Numbers.RING_DUTY::write)
                .maybe(change.colour(), (part, colour) -> part.number(colour));
    }

    private static RingVolumeChange volume(RowReader in) {
        return new RingVolumeChange(
                Fields.volume(in),
                in.maybe(Numbers.RING_DUTY::read),
                in.maybe(Numbers.RING_DUTY::read),
                in.maybe(RowReader::smallNumber));
    }

    private static void committed(RowWriter out, ClusterEvent.RepairCommitted event) {
        cause(out, event.cause());
        Fields.chunk(out, event.chunk());
        Fields.datanode(out, event.datanode());
        out.i64(event.startedMillis()).maybe(event.work(), EventForms::work);
    }

    private static ClusterEvent.RepairCommitted committed(RowReader in) {
        return new ClusterEvent.RepairCommitted(
                cause(in), Fields.chunk(in), Fields.datanode(in), in.i64(), in.maybe(EventForms::work));
    }

    /** The work of a rebuild, as its datanode reports it: a part of its own, so that fields may follow. */
    public static void work(RowWriter out, RebuildWork work) {
        out.part(part -> {
            part.i64(work.ranMillis());
            phase(part, work.read());
            phase(part, work.decode());
            phase(part, work.verify());
            phase(part, work.write());
            part.i64(work.bytesRead()).i64(work.bytesRepaired()).list(work.sources(), EventForms::source);
        });
    }

    public static RebuildWork work(RowReader in) {
        return in.part(part -> new RebuildWork(
                part.i64(),
                phase(part),
                phase(part),
                phase(part),
                phase(part),
                part.i64(),
                part.i64(),
                part.list(EventForms::source)));
    }

    private static void phase(RowWriter out, RebuildWork.Phase phase) {
        out.i64(phase.busyMicros()).i64(phase.endMillis());
    }

    private static RebuildWork.Phase phase(RowReader in) {
        return new RebuildWork.Phase(in.i64(), in.i64());
    }

    private static void source(RowWriter out, RebuildWork.Source source) {
        out.i32(source.index());
        Fields.datanode(out, source.datanode());
        out.i64(source.bytes());
    }

    private static RebuildWork.Source source(RowReader in) {
        return new RebuildWork.Source(in.i32(), Fields.datanode(in), in.i64());
    }
}
