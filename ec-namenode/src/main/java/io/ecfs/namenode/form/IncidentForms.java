package io.ecfs.namenode.form;

import io.ecfs.message.report.Incident;
import io.ecfs.message.report.RepairTrace;
import io.ecfs.namenode.row.RowReader;
import io.ecfs.namenode.row.RowWriter;

/** The forms of an incident and of the trace of a chunk in the rows of the history. */
public final class IncidentForms {
    private IncidentForms() {}

    public static void incident(RowWriter out, Incident incident) {
        out.i64(incident.id());
        EventForms.cause(out, incident.cause());
        out.i64(incident.detectedMillis())
                .i64(incident.deadMillis())
                .maybe(incident.firstRepairMillis(), RowWriter::i64)
                .maybe(incident.healedMillis(), RowWriter::i64)
                .i64(incident.bytesRead())
                .i64(incident.bytesRepaired())
                .i64(incident.attempts())
                .i64(incident.repaired())
                .i64(incident.failed())
                .i64(incident.traces())
                .flag(incident.causeGone());
    }

    public static Incident incident(RowReader in) {
        return new Incident(
                in.i64(),
                EventForms.cause(in),
                in.i64(),
                in.i64(),
                in.maybe(RowReader::i64),
                in.maybe(RowReader::i64),
                in.i64(),
                in.i64(),
                in.i64(),
                in.i64(),
                in.i64(),
                in.i64(),
                in.flag());
    }

    public static void trace(RowWriter out, RepairTrace trace) {
        Fields.group(out, trace.group());
        out.u8(trace.index())
                .i64(trace.detectedMillis())
                .maybe(trace.checkedMillis(), RowWriter::i64)
                .maybe(trace.plannedMillis(), RowWriter::i64)
                .maybe(trace.startedMillis(), RowWriter::i64)
                .maybe(trace.committedMillis(), RowWriter::i64)
                .maybe(trace.datanode(), Fields::datanode)
                .i64(trace.attempts())
                .i64(trace.bytesRead())
                .i64(trace.bytesRepaired())
                .maybe(trace.work(), EventForms::work)
                .maybe(trace.waiting(), RowWriter::text);
    }

    public static RepairTrace trace(RowReader in) {
        return new RepairTrace(
                Fields.group(in),
                in.u8(),
                in.i64(),
                in.maybe(RowReader::i64),
                in.maybe(RowReader::i64),
                in.maybe(RowReader::i64),
                in.maybe(RowReader::i64),
                in.maybe(Fields::datanode),
                in.i64(),
                in.i64(),
                in.i64(),
                in.maybe(EventForms::work),
                in.maybe(RowReader::text));
    }
}
