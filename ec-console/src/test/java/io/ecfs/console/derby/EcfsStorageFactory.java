package io.ecfs.console.derby;

import io.ecfs.client.EcfsClient;
import io.ecfs.client.write.EcfsOutputStream;
import io.ecfs.message.FilePath;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.derby.io.StorageFile;
import org.apache.derby.io.WritableStorageFactory;

/**
 * Files of Derby databases on the cluster of {@link #use}. The name of a database is its directory, an absolute path.
 * Derby makes one of these for each database that it opens, and more to look at it.
 */
public final class EcfsStorageFactory implements WritableStorageFactory {
    /** To be set to {@link #CLASS} before Derby starts. */
    public static final String PROPERTY = "derby.subSubProtocol.ecfs";

    public static final String CLASS = EcfsStorageFactory.class.getName();
    private static final AtomicReference<Optional<OpenFiles>> FILES = new AtomicReference<>(Optional.empty());
    private static final AtomicInteger TEMPORARY = new AtomicInteger();

    private FilePath directory = FilePath.ROOT;
    private String canonicalName = "";

    /** Says on which cluster the databases of this process are; none may be open. */
    public static void use(EcfsClient client) {
        FILES.set(Optional.of(new OpenFiles(client)));
    }

    private static OpenFiles files() {
        return FILES.get().orElseThrow(() -> new IllegalStateException("no cluster: call EcfsStorageFactory.use"));
    }

    @Override
    public void init(String home, String databaseName, String tempDirName, String uniqueName) throws IOException {
        if (databaseName == null) {
            return;
        }
        directory = new FilePath(databaseName);
        canonicalName = databaseName;
        if (uniqueName != null) {
            StorageFile temporary = getTempDir();
            temporary.deleteAll();
            if (!temporary.mkdirs()) {
                throw new IOException("cannot make the directory " + temporary.getPath());
            }
        }
    }

    @Override
    public void shutdown() {
        if (!canonicalName.isEmpty()) {
            getTempDir().deleteAll();
        }
    }

    @Override
    public String getCanonicalName() {
        return canonicalName;
    }

    @Override
    public void setCanonicalName(String name) {
        canonicalName = name;
    }

    /** @param path absolute, or below the database's directory; that itself for null */
    @Override
    public StorageFile newStorageFile(String path) {
        return file(path == null ? directory : below(directory, path));
    }

    @Override
    public StorageFile newStorageFile(String parent, String name) {
        return file(below(parent == null ? directory : below(directory, parent), name));
    }

    @Override
    public StorageFile newStorageFile(StorageFile parent, String name) {
        return parent == null ? newStorageFile(name) : file(below(((EcfsStorageFile) parent).path(), name));
    }

    private static FilePath below(FilePath directory, String path) {
        if (path.isEmpty()) {
            return directory;
        }
        return new FilePath(path.startsWith("/") ? path : (directory.isRoot() ? "" : directory.text()) + "/" + path);
    }

    private static StorageFile file(FilePath path) {
        return new EcfsStorageFile(files(), path);
    }

    @Override
    public char getSeparator() {
        return '/';
    }

    @Override
    public StorageFile getTempDir() {
        return newStorageFile("tmp");
    }

    @Override
    public StorageFile createTemporaryFile(String prefix, String suffix) throws IOException {
        StorageFile made = newStorageFile(getTempDir(), prefix + TEMPORARY.incrementAndGet() + suffix);
        made.createNewFile();
        return made;
    }

    @Override
    public boolean isFast() {
        return false;
    }

    @Override
    public boolean isReadOnlyDatabase() {
        return false;
    }

    @Override
    public boolean supportsRandomAccess() {
        return true;
    }

    @Override
    public int getStorageFactoryVersion() {
        return VERSION_NUMBER;
    }

    @Override
    public void sync(OutputStream stream, boolean metaData) throws IOException {
        ((EcfsOutputStream) stream).hsync();
    }

    /** The log is synced by a call, which covers what several transactions wrote. */
    @Override
    public boolean supportsWriteSync() {
        return false;
    }
}
