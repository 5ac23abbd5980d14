package io.ecfs.kernel;

import io.ecfs.env.FileNumbers;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Optional;

/** Descriptors of POSIX; found by {@link java.util.ServiceLoader}. It shares the library of the kernels. */
public final class NativeFileNumbers implements FileNumbers {
    @Override
    public Optional<String> failure() {
        return NativeLibrary.failure();
    }

    @Override
    public int openToRead(Path file) throws IOException {
        int number = NativeCalls.openToRead(file.toString());
        if (number < 0) {
            throw new IOException("cannot open " + file + ": " + NativeCalls.errorText(-number));
        }
        return number;
    }

    @Override
    public FileChannel adopt(int number) throws IOException {
        FileDescriptor file = new FileDescriptor();
        String reason = NativeCalls.adopt(file, number);
        if (reason != null) {
            throw new IOException("descriptor " + number + " cannot be used: " + reason);
        }
        return new FileInputStream(file).getChannel(); // closing the channel closes the stream, and with it the number
    }
}
