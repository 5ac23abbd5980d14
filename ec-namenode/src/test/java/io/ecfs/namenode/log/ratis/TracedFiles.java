package io.ecfs.namenode.log.ratis;

import io.ecfs.env.RecordingChannel;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessMode;
import java.nio.file.CopyOption;
import java.nio.file.DirectoryStream;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.WatchService;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.nio.file.spi.FileSystemProvider;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/**
 * The real disk below a directory, with a note of each change of a name and of each force, in their order:
 * {@code create NAME}, {@code force NAME}, {@code move FROM TO}, {@code delete NAME}, names relative to the directory.
 * What loses power between two of them shows from the notes alone. For one thread.
 */
public final class TracedFiles extends FileSystemProvider {
    private final Path root;
    private final FileSystemProvider real;
    private final FileSystem system = new Traced();
    public final List<String> trace = new ArrayList<>();

    public TracedFiles(Path root) {
        this.root = root;
        this.real = root.getFileSystem().provider();
    }

    /** The directory, seen through this. */
    public Path path() {
        return wrap(root);
    }

    private Path wrap(Path path) {
        return (Path) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Path.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("getFileSystem")) {
                        return system;
                    }
                    Object[] plain = arguments == null ? new Object[0] : arguments.clone();
                    for (int i = 0; i < plain.length; i++) {
                        plain[i] = plain[i] instanceof Path other ? real(other) : plain[i];
                    }
                    Object result;
                    try {
                        result = method.invoke(path, plain);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                    return result instanceof Path other ? wrap(other) : result;
                });
    }

    /** A path of the real disk says the same by its name. */
    private static Path real(Path path) {
        return path.getFileSystem() instanceof Traced ? Path.of(path.toString()) : path;
    }

    private void note(String what, Path... paths) {
        trace.add(what + " "
                + List.of(paths).stream()
                        .map(path -> root.relativize(real(path)).toString())
                        .collect(Collectors.joining(" ")));
    }

    @Override
    public FileChannel newFileChannel(Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
            throws IOException {
        boolean creates = java.nio.file.Files.notExists(real(path));
        FileChannel channel = FileChannel.open(real(path), options, attributes);
        if (creates) {
            note("create", path);
        }
        return new RecordingChannel(channel, metadata -> note("force", path));
    }

    @Override
    public SeekableByteChannel newByteChannel(
            Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes) throws IOException {
        return newFileChannel(path, options, attributes);
    }

    @Override
    public DirectoryStream<Path> newDirectoryStream(Path directory, DirectoryStream.Filter<? super Path> filter)
            throws IOException {
        List<Path> found = new ArrayList<>();
        try (DirectoryStream<Path> paths = real.newDirectoryStream(real(directory), path -> true)) {
            for (Path path : paths) {
                if (filter.accept(wrap(path))) {
                    found.add(wrap(path));
                }
            }
        }
        return new DirectoryStream<>() {
            @Override
            public Iterator<Path> iterator() {
                return found.iterator();
            }

            @Override
            public void close() {
                found.clear();
            }
        };
    }

    @Override
    public void createDirectory(Path directory, FileAttribute<?>... attributes) throws IOException {
        real.createDirectory(real(directory), attributes);
        note("create", directory);
    }

    @Override
    public void delete(Path path) throws IOException {
        real.delete(real(path));
        note("delete", path);
    }

    @Override
    public void copy(Path source, Path target, CopyOption... options) throws IOException {
        real.copy(real(source), real(target), options);
        note("create", target);
    }

    @Override
    public void move(Path source, Path target, CopyOption... options) throws IOException {
        real.move(real(source), real(target), options);
        note("move", source, target);
    }

    @Override
    public boolean isSameFile(Path path, Path other) throws IOException {
        return real.isSameFile(real(path), real(other));
    }

    @Override
    public boolean isHidden(Path path) throws IOException {
        return real.isHidden(real(path));
    }

    @Override
    public FileStore getFileStore(Path path) throws IOException {
        return real.getFileStore(real(path));
    }

    @Override
    public void checkAccess(Path path, AccessMode... modes) throws IOException {
        real.checkAccess(real(path), modes);
    }

    @Override
    public <V extends FileAttributeView> V getFileAttributeView(Path path, Class<V> type, LinkOption... options) {
        return real.getFileAttributeView(real(path), type, options);
    }

    @Override
    public <A extends BasicFileAttributes> A readAttributes(Path path, Class<A> type, LinkOption... options)
            throws IOException {
        return real.readAttributes(real(path), type, options);
    }

    @Override
    public Map<String, Object> readAttributes(Path path, String attributes, LinkOption... options) throws IOException {
        return real.readAttributes(real(path), attributes, options);
    }

    @Override
    public void setAttribute(Path path, String attribute, Object value, LinkOption... options) throws IOException {
        real.setAttribute(real(path), attribute, value, options);
    }

    @Override
    public String getScheme() {
        return "traced";
    }

    @Override
    public FileSystem newFileSystem(URI uri, Map<String, ?> environment) {
        throw new UnsupportedOperationException("one is there");
    }

    @Override
    public FileSystem getFileSystem(URI uri) {
        return system;
    }

    @Override
    public Path getPath(URI uri) {
        return wrap(Path.of(uri.getPath()));
    }

    private final class Traced extends FileSystem {
        @Override
        public FileSystemProvider provider() {
            return TracedFiles.this;
        }

        @Override
        public void close() {
            throw new UnsupportedOperationException("it is the disk");
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public boolean isReadOnly() {
            return false;
        }

        @Override
        public String getSeparator() {
            return root.getFileSystem().getSeparator();
        }

        @Override
        public Iterable<Path> getRootDirectories() {
            return StreamSupport.stream(
                            root.getFileSystem().getRootDirectories().spliterator(), false)
                    .map(TracedFiles.this::wrap)
                    .toList();
        }

        @Override
        public Iterable<FileStore> getFileStores() {
            return root.getFileSystem().getFileStores();
        }

        @Override
        public Set<String> supportedFileAttributeViews() {
            return root.getFileSystem().supportedFileAttributeViews();
        }

        @Override
        public Path getPath(String first, String... more) {
            return wrap(root.getFileSystem().getPath(first, more));
        }

        @Override
        public PathMatcher getPathMatcher(String pattern) {
            return root.getFileSystem().getPathMatcher(pattern);
        }

        @Override
        public UserPrincipalLookupService getUserPrincipalLookupService() {
            return root.getFileSystem().getUserPrincipalLookupService();
        }

        @Override
        public WatchService newWatchService() throws IOException {
            return root.getFileSystem().newWatchService();
        }
    }
}
