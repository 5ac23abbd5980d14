package io.ecfs.namenode.group;

import io.ecfs.layout.InodeId;
import io.ecfs.message.report.Conversion;
import io.ecfs.namenode.form.Fields;
import io.ecfs.namenode.form.Numbers;
import io.ecfs.namenode.row.RowReader;
import io.ecfs.namenode.row.RowWriter;
import java.util.Objects;
import java.util.Optional;

/**
 * A conversion of files in the facts: a leader that takes over goes on with it.
 *
 * @param top the file, or the directory below which files are converted
 * @param superuser whether files of others than its user are converted, too
 * @param known as it was recorded last
 */
public record ConversionFacts(InodeId top, boolean superuser, Conversion known) {
    public ConversionFacts {
        Objects.requireNonNull(top, "top");
        Objects.requireNonNull(known, "known");
    }

    public long job() {
        return known.job();
    }

    public ConversionFacts with(Conversion changed) {
        return new ConversionFacts(top, superuser, changed);
    }

    void write(RowWriter out) {
        Fields.inode(out, top);
        out.flag(superuser);
        Fields.path(out, known.path());
        Fields.policy(out, known.policy());
        out.text(known.user()).flag(known.dryRun()).i64(known.begunMillis());
        Numbers.CONVERSION.write(out, known.state());
        progress(out, known.progress());
        out.maybe(known.firstFailure(), RowWriter::text).maybe(known.endedMillis(), RowWriter::i64);
    }

    static ConversionFacts read(RowReader in, long job) {
        return new ConversionFacts(
                Fields.inode(in),
                in.flag(),
                new Conversion(
                        job,
                        Fields.path(in),
                        Fields.policy(in),
                        in.text(),
                        in.flag(),
                        in.i64(),
                        Numbers.CONVERSION.read(in),
                        progress(in),
                        Optional.empty(),
                        in.maybe(RowReader::text),
                        Optional.empty(),
                        in.maybe(RowReader::i64)));
    }

    /** In entries and rows: number files, converted, failed, bytes, bytes to write, bytes done. */
    public static void progress(RowWriter out, Conversion.Progress progress) {
        out.number(progress.files())
                .number(progress.converted())
                .number(progress.failed())
                .number(progress.bytes())
                .number(progress.bytesToWrite())
                .number(progress.bytesDone());
    }

    public static Conversion.Progress progress(RowReader in) {
        return new Conversion.Progress(in.number(), in.number(), in.number(), in.number(), in.number(), in.number());
    }
}
