package io.ecfs.console.derby;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ecfs.client.update.UpdatableFile;
import io.ecfs.client.update.UpdateOptions;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.FilePath;
import io.ecfs.message.namespace.FileStatus;
import io.ecfs.wire.Await;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Optional;
import org.apache.derby.io.StorageFile;
import org.apache.derby.io.StorageRandomAccessFile;

/** A path of a database. An exclusive lock is the lease of a file that is open for update. */
final class EcfsStorageFile implements StorageFile {
    private static final int DIRECTORY_MODE = 0700;
    private static final int FILE_MODE = 0600;
    private static final int READ_ONLY_MODE = 0400;

    private final OpenFiles files;
    private final FilePath path;

    @GuardedBy("this")
    private Optional<UpdatableFile> lock = Optional.empty();

    EcfsStorageFile(OpenFiles files, FilePath path) {
        this.files = files;
        this.path = path;
    }

    FilePath path() {
        return path;
    }

    private interface Change {
        void run() throws IOException;
    }

    /** As Derby wants it: whether it went well. */
    private static boolean done(Change change) {
        try {
            change.run();
            return true;
        } catch (EcfsException e) {
            return switch (e.code()) {
                case NOT_FOUND, ALREADY_EXISTS, NOT_EMPTY, NOT_A_DIRECTORY -> false;
                default -> throw new UncheckedIOException(e);
            };
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Optional<FileStatus> status() {
        try {
            return files.status(path);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public String[] list() {
        try {
            return files.list(path).stream().map(entry -> entry.path().name()).toArray(String[]::new);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public boolean canWrite() {
        return exists();
    }

    @Override
    public boolean exists() {
        return status().isPresent();
    }

    @Override
    public boolean isDirectory() {
        return status().filter(FileStatus::directory).isPresent();
    }

    @Override
    public boolean delete() {
        return delete(false);
    }

    @Override
    public boolean deleteAll() {
        return delete(true);
    }

    private boolean delete(boolean recursive) {
        return done(() -> {
            files.end(path);
            Await.result(files.client().delete(path, recursive));
        });
    }

    @Override
    public String getPath() {
        return path.text();
    }

    @Override
    public String getCanonicalPath() {
        return path.text();
    }

    @Override
    public String getName() {
        return path.name();
    }

    @Override
    public boolean createNewFile() throws IOException {
        try {
            files.create(path, false).close();
            return true;
        } catch (EcfsException e) {
            if (e.code() == ErrorCode.ALREADY_EXISTS) {
                return false;
            }
            throw e;
        }
    }

    @Override
    public boolean renameTo(StorageFile to) {
        return done(() -> {
            files.end(path);
            Await.result(files.client().rename(path, ((EcfsStorageFile) to).path, false));
        });
    }

    @Override
    public boolean mkdir() {
        return mkdir(false);
    }

    @Override
    public boolean mkdirs() {
        return mkdir(true);
    }

    private boolean mkdir(boolean parents) {
        return !exists() && done(() -> Await.result(files.client().mkdirs(path, DIRECTORY_MODE, parents)));
    }

    @Override
    public StorageFile getParentDir() {
        return path.isRoot() ? null : new EcfsStorageFile(files, path.parent());
    }

    @Override
    public boolean setReadOnly() {
        return done(() -> Await.result(files.client().setMode(path, READ_ONLY_MODE)));
    }

    @Override
    public void limitAccessToOwner() throws IOException {
        Await.result(files.client().setMode(path, isDirectory() ? DIRECTORY_MODE : FILE_MODE));
    }

    @Override
    public OutputStream getOutputStream() throws FileNotFoundException {
        return getOutputStream(false);
    }

    @Override
    public OutputStream getOutputStream(boolean append) throws FileNotFoundException {
        try {
            return append && exists() ? Await.result(files.client().append(path, true)) : files.create(path, true);
        } catch (IOException e) {
            throw notFound(e);
        }
    }

    @Override
    public InputStream getInputStream() throws FileNotFoundException {
        try {
            return Await.result(files.client().open(path)).stream();
        } catch (IOException e) {
            throw notFound(e);
        }
    }

    private static FileNotFoundException notFound(IOException cause) {
        FileNotFoundException notFound = new FileNotFoundException(cause.getMessage());
        notFound.initCause(cause);
        return notFound;
    }

    @Override
    public StorageRandomAccessFile getRandomAccessFile(String mode) throws FileNotFoundException {
        boolean there = exists();
        if (!there && mode.equals("r")) {
            throw new FileNotFoundException(path + " is not there");
        }
        OpenFile file = files.open(path);
        try {
            if (!there) {
                file.forUpdate();
            }
            return new EcfsRandomAccessFile(files, file, 0);
        } catch (IOException e) {
            throw notFound(e);
        }
    }

    @Override
    public synchronized int getExclusiveFileLock() {
        try {
            lock = Optional.of(Await.result(
                    files.client().update(path, UpdateOptions.defaults().create(true))));
            files.fence(path.parent(), path);
            return EXCLUSIVE_FILE_LOCK;
        } catch (EcfsException e) {
            if (e.code() == ErrorCode.LEASE_CONFLICT) {
                return EXCLUSIVE_FILE_LOCK_NOT_AVAILABLE;
            }
            throw new UncheckedIOException(e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public synchronized void releaseExclusiveFileLock() {
        if (lock.isPresent()) {
            UpdatableFile file = lock.get();
            lock = Optional.empty();
            done(() -> {
                file.close();
                Await.result(files.client().delete(path, false));
            });
        }
    }
}
