package io.ecfs.hadoop;

import io.ecfs.layout.InodeId;
import io.ecfs.message.FilePath;
import io.ecfs.message.namespace.FileStatus;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.apache.hadoop.fs.InvalidPathHandleException;
import org.apache.hadoop.fs.Options.HandleOpt;
import org.apache.hadoop.fs.PathHandle;

/**
 * One file, identified by its inode (HDFS: HdfsPathHandle). Its options tell which changes since are allowed.
 *
 * @param path required path; empty: any
 * @param content required content; empty: any
 */
record EcfsPathHandle(long inode, Optional<String> path, Optional<Content> content) implements PathHandle {
    private static final int VERSION = 1;

    /** @param modifiedMillis when the file was last written */
    record Content(long length, long modifiedMillis) {
        static Content of(FileStatus status) {
            return new Content(status.length(), status.modifiedMillis());
        }
    }

    static EcfsPathHandle of(FileStatus status, HandleOpt... options) {
        boolean moved = HandleOpt.getOpt(HandleOpt.Location.class, options)
                .orElse(HandleOpt.moved(false))
                .allowChange();
        boolean changed = HandleOpt.getOpt(HandleOpt.Data.class, options)
                .orElse(HandleOpt.changed(false))
                .allowChange();
        return new EcfsPathHandle(
                status.inode().value(),
                moved ? Optional.empty() : Optional.of(status.path().text()),
                changed ? Optional.empty() : Optional.of(Content.of(status)));
    }

    /** @throws InvalidPathHandleException when the bytes are not those of such a handle */
    static EcfsPathHandle from(PathHandle handle) throws InvalidPathHandleException {
        if (handle instanceof EcfsPathHandle ours) {
            return ours;
        }
        byte[] bytes = handle.toByteArray();
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            if (in.readUnsignedByte() != VERSION) {
                throw new InvalidPathHandleException("a handle of " + bytes.length + " bytes is not of this version");
            }
            long inode = in.readLong();
            Optional<String> path = in.readBoolean() ? Optional.of(in.readUTF()) : Optional.empty();
            Optional<Content> content =
                    in.readBoolean() ? Optional.of(new Content(in.readLong(), in.readLong())) : Optional.empty();
            return new EcfsPathHandle(inode, path, content);
        } catch (InvalidPathHandleException e) {
            throw e;
        } catch (IOException e) {
            throw new InvalidPathHandleException(bytes.length + " bytes are no handle of a file", e);
        }
    }

    /**
     * The path to open.
     *
     * @throws InvalidPathHandleException when more has changed than may have
     */
    FilePath check(FileStatus present) throws InvalidPathHandleException {
        String now = present.path().text();
        if (path.isPresent() && !path.get().equals(now)) {
            throw new InvalidPathHandleException(
                    "file " + new InodeId(inode) + " was moved from " + path.get() + " to " + now);
        }
        if (content.isPresent() && !content.get().equals(Content.of(present))) {
            throw new InvalidPathHandleException("file " + new InodeId(inode) + " (" + now + ") was changed: it was "
                    + content.get() + " and is " + Content.of(present));
        }
        return present.path();
    }

    @Override
    public ByteBuffer bytes() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeByte(VERSION);
            out.writeLong(inode);
            out.writeBoolean(path.isPresent());
            if (path.isPresent()) {
                out.writeUTF(path.get());
            }
            out.writeBoolean(content.isPresent());
            if (content.isPresent()) {
                out.writeLong(content.get().length());
                out.writeLong(content.get().modifiedMillis());
            }
        } catch (IOException e) {
            throw new UncheckedIOException("a handle is written to memory", e);
        }
        return ByteBuffer.wrap(bytes.toByteArray());
    }
}
