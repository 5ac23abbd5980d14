package io.ecfs.console.contract;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * What the connector's classes refer to in Hadoop, taken from their constant pools: classes, methods and fields. A
 * member is resolved as the JVM does it, from the named class up through its superclasses and interfaces (JVMS 5.4.3).
 */
final class HadoopReferences {
    private static final String HADOOP = "org/apache/hadoop/";
    private static final String OURS = "io/ecfs/hadoop/";

    // Tags of the constant pool, JVMS 4.4.
    private static final int CLASS = 7;
    private static final int FIELD = 9;
    private static final int INTERFACE_METHOD = 11;

    /** A class, or a member of it when {@code member} (name and descriptor) is not empty. */
    record Reference(String owner, String member) implements Comparable<Reference> {
        @Override
        public int compareTo(Reference other) {
            return toString().compareTo(other.toString());
        }

        /** One line without blanks. */
        @Override
        public String toString() {
            return member.isEmpty() ? owner : owner + "." + member;
        }
    }

    private HadoopReferences() {}

    /**
     * References to Hadoop, each with the simple names of the classes that have it.
     *
     * @param classes directory of compiled classes
     */
    static SortedMap<Reference, SortedSet<String>> of(Path classes) throws IOException {
        Classes own = new Classes(List.of(classes.toUri().toURL()));
        SortedMap<Reference, SortedSet<String>> found = new TreeMap<>();
        for (Path file : files(classes)) {
            String user = file.getFileName().toString().replace(".class", "");
            for (Reference reference : constants(Files.readAllBytes(file))) {
                if (reference.owner().startsWith(HADOOP) || own.inherits(reference)) {
                    found.computeIfAbsent(reference, key -> new TreeSet<>()).add(user);
                }
            }
        }
        return found;
    }

    private static List<Path> files(Path classes) throws IOException {
        try (Stream<Path> files = Files.list(classes.resolve(OURS))) {
            return files.filter(file -> file.toString().endsWith(".class")).toList();
        }
    }

    private static SortedSet<Reference> constants(byte[] bytes) {
        ClassReader reader = new ClassReader(bytes);
        char[] buffer = new char[reader.getMaxStringLength()];
        SortedSet<Reference> found = new TreeSet<>();
        for (int i = 1; i < reader.getItemCount(); i++) {
            int item = reader.getItem(i);
            int tag = item == 0 ? 0 : reader.readByte(item - 1);
            if (tag == CLASS) {
                found.add(new Reference(element(reader.readUTF8(item, buffer)), ""));
            } else if (tag >= FIELD && tag <= INTERFACE_METHOD) {
                String owner = element(reader.readClass(item, buffer));
                int nameAndType = reader.getItem(reader.readUnsignedShort(item + 2));
                String name = reader.readUTF8(nameAndType, buffer);
                found.add(new Reference(owner, name + ":" + reader.readUTF8(nameAndType + 2, buffer)));
            }
        }
        return found;
    }

    /** The class of an array's elements; other names as they are. */
    private static String element(String name) {
        return name.startsWith("[") ? name.replaceFirst("^\\[+L?", "").replace(";", "") : name;
    }

    /** Classes of a class path, read and never loaded. The JDK's are those of this JVM. */
    static final class Classes {
        private record Declared(List<String> parents, SortedSet<String> members) {}

        private final ClassLoader bytes;
        private final Map<String, Optional<Declared>> read = new HashMap<>();

        Classes(List<URL> path) {
            bytes = new URLClassLoader(path.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
        }

        boolean has(Reference reference) {
            return declared(reference.owner()).isPresent()
                    && (reference.member().isEmpty() || find(reference.owner(), reference.member()));
        }

        /** Tells whether a member named in a class of ours is not ours, and so may be Hadoop's. */
        boolean inherits(Reference reference) {
            return reference.owner().startsWith(OURS) && !has(reference);
        }

        private boolean find(String owner, String member) {
            return declared(owner)
                    .map(type -> type.members().contains(member)
                            || type.parents().stream().anyMatch(parent -> find(parent, member)))
                    .orElse(false);
        }

        private Optional<Declared> declared(String name) {
            Optional<Declared> known = read.get(name);
            if (known == null) {
                known = load(name);
                read.put(name, known);
            }
            return known;
        }

        private Optional<Declared> load(String name) {
            try (InputStream in = bytes.getResourceAsStream(name + ".class")) {
                return in == null ? Optional.empty() : Optional.of(declarations(new ClassReader(in)));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private static Declared declarations(ClassReader reader) {
            SortedSet<String> members = new TreeSet<>();
            List<String> parents = Stream.concat(
                            Stream.ofNullable(reader.getSuperName()), Arrays.stream(reader.getInterfaces()))
                    .toList();
            reader.accept(
                    new ClassVisitor(Opcodes.ASM9) {
                        @Override
                        public MethodVisitor visitMethod(
                                int access, String name, String type, String signature, String[] exceptions) {
                            members.add(name + ":" + type);
                            return null;
                        }

                        @Override
                        public FieldVisitor visitField(
                                int access, String name, String type, String signature, Object value) {
                            members.add(name + ":" + type);
                            return null;
                        }
                    },
                    ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
            return new Declared(parents, members);
        }
    }
}
