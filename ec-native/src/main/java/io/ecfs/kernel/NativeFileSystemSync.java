package io.ecfs.kernel;

import io.ecfs.env.FileSystemSync;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * {@code syncfs} of Linux; found by {@link java.util.ServiceLoader}. It shares the library of the kernels, which
 * datanodes load anyway. Before Linux 5.8 the call reports no failed writes (syncfs(2), "Bugs"), so that older kernels
 * do without it.
 */
public final class NativeFileSystemSync implements FileSystemSync {
    private static final Pattern RELEASE = Pattern.compile("(\\d{1,9})\\.(\\d{1,9}).*");

    @Override
    public Optional<String> failure() {
        return silentKernel(System.getProperty("os.version")).or(NativeLibrary::failure);
    }

    /** @param release as {@code uname -r} prints it */
    static Optional<String> silentKernel(String release) {
        Matcher numbers = RELEASE.matcher(release);
        if (numbers.matches()) {
            int major = Integer.parseInt(numbers.group(1));
            int minor = Integer.parseInt(numbers.group(2));
            if (major > 5 || (major == 5 && minor >= 8)) {
                return Optional.empty();
            }
        }
        return Optional.of("syncfs of Linux " + release + " reports no failed writes; it does since 5.8");
    }

    @Override
    public void sync(Path directory) throws IOException {
        String reason = NativeCalls.syncFileSystem(directory.toString());
        if (reason != null) {
            throw new IOException("cannot sync the file system of " + directory + ": " + reason);
        }
    }
}
