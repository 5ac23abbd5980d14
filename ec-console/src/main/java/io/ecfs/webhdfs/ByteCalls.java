package io.ecfs.webhdfs;

import io.ecfs.client.read.stream.EcfsInputStream;
import io.ecfs.client.read.stream.FileReader;
import io.ecfs.wire.Await;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.HttpServletResponse;
import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileChecksum;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.util.StringUtils;

/**
 * Bytes of files, in two steps: the first checks and redirects, the second copies. A copy blocks where the slower side
 * does, so that no more than one buffer waits here.
 */
final class ByteCalls {
    private static final int UPLOAD_BYTES = 256 << 10;

    private static final Parameter<Boolean> OVERWRITE = Parameter.flag("overwrite", false);
    private static final Parameter<Boolean> CREATE_PARENT = Parameter.flag("createparent", true);
    private static final Parameter<Integer> MODE = Parameter.mode("permission", 0644);
    private static final Parameter<Long> BUFFER_SIZE = Parameter.number("buffersize", UPLOAD_BYTES, 1);
    private static final Parameter<Long> BLOCK_SIZE = Parameter.number("blocksize", 0, 1);
    private static final Parameter<Long> REPLICATION = Parameter.number("replication", 1, 1);
    private static final Parameter<EnumSet<CreateFlag>> FLAGS =
            new Parameter<>("createflag", EnumSet.noneOf(CreateFlag.class), ByteCalls::flags);

    static final List<WebHdfsOperation> OPERATIONS = List.of(
            WebHdfsOperation.inTwoSteps(Verb.GET, "OPEN", ByteCalls::checkRange, ByteCalls::open),
            WebHdfsOperation.inTwoSteps(Verb.GET, "GETFILECHECKSUM", ByteCalls::file, ByteCalls::checksum),
            WebHdfsOperation.inTwoSteps(Verb.PUT, "CREATE", ByteCalls::checkCreate, ByteCalls::create),
            WebHdfsOperation.inTwoSteps(Verb.POST, "APPEND", ByteCalls::file, ByteCalls::append));

    private ByteCalls() {}

    private static FileStatus file(WebHdfsCall call) throws IOException {
        FileStatus status = call.files().getFileStatus(call.path());
        if (status.isDirectory()) {
            throw new FileNotFoundException("Path is not a file: " + path(call));
        }
        return status;
    }

    private static String path(WebHdfsCall call) {
        return call.path().toUri().getPath();
    }

    private static void checkRange(WebHdfsCall call) throws IOException {
        range(call, file(call).getLen());
    }

    /**
     * @return offset of the first byte that is asked for
     * @throws EOFException behind the end, with the message of HDFS, which throws its superclass
     */
    private static long range(WebHdfsCall call, long length) throws IOException {
        long offset = call.get(StatusCalls.OFFSET);
        if (offset >= length && offset > 0) {
            throw new EOFException(
                    "Offset=" + offset + " out of the range [0, " + length + "); OPEN, path=" + path(call));
        }
        return offset;
    }

    private static WebHdfsAnswer open(WebHdfsCall call) throws IOException {
        long fileLength = file(call).getLen();
        long offset = range(call, fileLength);
        long length = Math.min(StatusCalls.length(call), fileLength - offset);
        call.get(BUFFER_SIZE);
        FileReader file = Await.result(call.client().open(call.filePath()));
        return response -> {
            try (EcfsInputStream in = file.stream()) {
                response.setStatus(HttpServletResponse.SC_OK);
                response.setContentType("application/octet-stream");
                response.setContentLengthLong(length);
                in.seek(offset);
                ServletOutputStream out = response.getOutputStream();
                for (long left = length; left > 0; ) {
                    long lent = in.lend(left, out::write);
                    if (lent < 0) {
                        throw new IOException(path(call) + " ended " + left + " bytes before its length " + fileLength);
                    }
                    left -= lent;
                }
            }
        };
    }

    private static WebHdfsAnswer checksum(WebHdfsCall call) throws IOException {
        file(call);
        FileChecksum checksum = call.files().getFileChecksum(call.path());
        Map<String, Object> form = new TreeMap<>();
        form.put("algorithm", checksum.getAlgorithmName());
        form.put("bytes", StringUtils.byteToHexString(checksum.getBytes()));
        form.put("length", checksum.getLength());
        return WebHdfsAnswer.json("FileChecksum", form);
    }

    /** Refuses before the bytes are sent what {@link #create} would refuse after. */
    private static void checkCreate(WebHdfsCall call) throws IOException {
        call.get(MODE);
        EnumSet<CreateFlag> flags = createFlags(call);
        if (!flags.contains(CreateFlag.OVERWRITE)
                && !flags.contains(CreateFlag.APPEND)
                && call.files().exists(call.path())) {
            throw new FileAlreadyExistsException(path(call) + " already exists");
        }
    }

    private static WebHdfsAnswer create(WebHdfsCall call) throws IOException {
        FsPermission mode = FsPermission.createImmutable((short) (int) call.get(MODE));
        EnumSet<CreateFlag> flags = createFlags(call);
        call.get(BUFFER_SIZE);
        call.get(BLOCK_SIZE);
        call.get(REPLICATION);
        receive(call, created(call, mode, flags));
        return response -> {
            response.setHeader("Location", call.fileUri());
            WebHdfsAnswer.status(HttpServletResponse.SC_CREATED).send(response);
        };
    }

    @SuppressWarnings("deprecation") // createNonRecursive is what FileSystem has for flags without parents
    private static FSDataOutputStream created(WebHdfsCall call, FsPermission mode, EnumSet<CreateFlag> flags)
            throws IOException {
        return call.get(CREATE_PARENT)
                ? call.files().create(call.path(), mode, flags, UPLOAD_BYTES, (short) 1, 0, null, null)
                : call.files().createNonRecursive(call.path(), mode, flags, UPLOAD_BYTES, (short) 1, 0, null);
    }

    private static WebHdfsAnswer append(WebHdfsCall call) throws IOException {
        call.get(BUFFER_SIZE);
        receive(call, call.files().append(call.path(), UPLOAD_BYTES, null));
        return WebHdfsAnswer.done();
    }

    /**
     * Copies the body of the request. The file is closed also when the body ends early, with what has arrived, as in
     * HDFS: its lease ends with the connection.
     */
    private static void receive(WebHdfsCall call, FSDataOutputStream file) throws IOException {
        try (file) {
            byte[] buffer = new byte[UPLOAD_BYTES];
            InputStream body = call.request().getInputStream();
            for (int read = body.read(buffer); read >= 0; read = body.read(buffer)) {
                file.write(buffer, 0, read);
            }
        }
    }

    private static EnumSet<CreateFlag> createFlags(WebHdfsCall call) {
        EnumSet<CreateFlag> flags = EnumSet.copyOf(call.get(FLAGS));
        if (flags.isEmpty()) {
            flags.add(CreateFlag.CREATE);
        }
        if (call.get(OVERWRITE)) {
            flags.add(CreateFlag.OVERWRITE);
        }
        return flags;
    }

    private static EnumSet<CreateFlag> flags(String names) {
        EnumSet<CreateFlag> flags = EnumSet.noneOf(CreateFlag.class);
        Arrays.stream(names.split(","))
                .map(name -> CreateFlag.valueOf(name.trim().toUpperCase(Locale.ROOT)))
                .forEach(flags::add);
        return flags;
    }
}
