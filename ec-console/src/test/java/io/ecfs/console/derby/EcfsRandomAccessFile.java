package io.ecfs.console.derby;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.apache.derby.io.StorageRandomAccessFile;

/** A handle of a file, with a place of its own in it. For one thread at a time. */
final class EcfsRandomAccessFile implements StorageRandomAccessFile {
    /** Bytes that are read at once for those who read a number after the other. */
    private static final int WINDOW = 16 << 10;

    private static final int SMALL = 512;

    private final OpenFiles files;
    private final OpenFile file;
    private final DataInputStream in = new DataInputStream(new Reads());
    private final DataOutputStream out = new DataOutputStream(new Writes());
    private long position;
    private boolean closed;
    private byte[] window = {};
    private long windowBegin;
    private long windowChanges = -1;

    /** @param file opened for this handle */
    EcfsRandomAccessFile(OpenFiles files, OpenFile file, long position) {
        this.files = files;
        this.file = file;
        this.position = position;
    }

    private final class Reads extends InputStream {
        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] target, int offset, int length) throws IOException {
            return EcfsRandomAccessFile.this.read(target, offset, length);
        }
    }

    private final class Writes extends OutputStream {
        @Override
        public void write(int value) throws IOException {
            write(new byte[] {(byte) value}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            checkOpen();
            file.write(position, bytes, offset, length);
            position += length;
        }
    }

    private void checkOpen() throws IOException {
        if (closed) {
            throw new IOException("the handle of " + file.path() + " is closed");
        }
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        checkOpen();
        int count = length < SMALL
                ? readSmall(target, offset, length)
                : file.read(position, ByteBuffer.wrap(target, offset, length));
        position += Math.max(0, count);
        return count;
    }

    private int readSmall(byte[] target, int offset, int length) throws IOException {
        long changes = file.changes();
        if (changes != windowChanges || position < windowBegin || position + length > windowBegin + window.length) {
            byte[] bytes = new byte[WINDOW];
            int count = file.read(position, ByteBuffer.wrap(bytes));
            window = Arrays.copyOf(bytes, Math.max(0, count));
            windowBegin = position;
            windowChanges = changes;
        }
        int count = (int) Math.min(length, windowBegin + window.length - position);
        System.arraycopy(window, (int) (position - windowBegin), target, offset, count);
        return count == 0 && length > 0 ? -1 : count;
    }

    @Override
    public long getFilePointer() {
        return position;
    }

    @Override
    public void seek(long newPosition) {
        position = newPosition;
    }

    @Override
    public long length() throws IOException {
        checkOpen();
        return file.length();
    }

    @Override
    public void setLength(long length) throws IOException {
        checkOpen();
        file.setLength(length);
        position = Math.min(position, length);
    }

    @Override
    public void sync() throws IOException {
        checkOpen();
        file.sync();
    }

    @Override
    public void close() throws IOException {
        if (!closed) {
            closed = true;
            files.close(file);
        }
    }

    @Override
    public StorageRandomAccessFile clone() {
        return new EcfsRandomAccessFile(files, files.open(file.path()), position);
    }

    @Override
    public void readFully(byte[] target) throws IOException {
        readFully(target, 0, target.length);
    }

    @Override
    public void readFully(byte[] target, int offset, int length) throws IOException {
        in.readFully(target, offset, length);
    }

    @Override
    public int skipBytes(int count) throws IOException {
        int skipped = (int) Math.max(0, Math.min(count, length() - position));
        position += skipped;
        return skipped;
    }

    @Override
    public boolean readBoolean() throws IOException {
        return in.readBoolean();
    }

    @Override
    public byte readByte() throws IOException {
        return in.readByte();
    }

    @Override
    public int readUnsignedByte() throws IOException {
        return in.readUnsignedByte();
    }

    @Override
    public short readShort() throws IOException {
        return in.readShort();
    }

    @Override
    public int readUnsignedShort() throws IOException {
        return in.readUnsignedShort();
    }

    @Override
    public char readChar() throws IOException {
        return in.readChar();
    }

    @Override
    public int readInt() throws IOException {
        return in.readInt();
    }

    @Override
    public long readLong() throws IOException {
        return in.readLong();
    }

    @Override
    public float readFloat() throws IOException {
        return in.readFloat();
    }

    @Override
    public double readDouble() throws IOException {
        return in.readDouble();
    }

    @Override
    public String readLine() throws IOException {
        throw new EOFException("lines are not read from " + file.path());
    }

    @Override
    public String readUTF() throws IOException {
        return in.readUTF();
    }

    @Override
    public void write(int value) throws IOException {
        out.write(value);
    }

    @Override
    public void write(byte[] bytes) throws IOException {
        out.write(bytes);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        out.write(bytes, offset, length);
    }

    @Override
    public void writeBoolean(boolean value) throws IOException {
        out.writeBoolean(value);
    }

    @Override
    public void writeByte(int value) throws IOException {
        out.writeByte(value);
    }

    @Override
    public void writeShort(int value) throws IOException {
        out.writeShort(value);
    }

    @Override
    public void writeChar(int value) throws IOException {
        out.writeChar(value);
    }

    @Override
    public void writeInt(int value) throws IOException {
        out.writeInt(value);
    }

    @Override
    public void writeLong(long value) throws IOException {
        out.writeLong(value);
    }

    @Override
    public void writeFloat(float value) throws IOException {
        out.writeFloat(value);
    }

    @Override
    public void writeDouble(double value) throws IOException {
        out.writeDouble(value);
    }

    @Override
    public void writeBytes(String text) throws IOException {
        out.writeBytes(text);
    }

    @Override
    public void writeChars(String text) throws IOException {
        out.writeChars(text);
    }

    @Override
    public void writeUTF(String text) throws IOException {
        out.writeUTF(text);
    }
}
