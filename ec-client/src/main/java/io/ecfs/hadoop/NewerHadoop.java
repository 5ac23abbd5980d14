package io.ecfs.hadoop;

import java.util.Optional;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;

/**
 * Probes which interfaces this Hadoop has, and chooses the file system that implements them. Only the subclasses of
 * {@link EcfsFileSystem} refer to newer classes, so that an older Hadoop never links those.
 */
final class NewerHadoop {
    private NewerHadoop() {}

    /**
     * Makes the choice Hadoop's default of {@code fs.ecfs.impl}, as DistributedFileSystem adds its defaults when it is
     * loaded. What a job sets itself, and a Configuration without defaults, are left alone.
     */
    static void prefer() {
        ClassLoader hadoop = Configuration.class.getClassLoader();
        defaults(name -> hadoop.getResource(name.replace('.', '/') + ".class") != null)
                .ifPresent(Configuration::addDefaultResource);
    }

    /**
     * Name of the resource with the defaults; empty when {@link EcfsFileSystem} itself is all that this Hadoop can use.
     *
     * @param has tells whether Hadoop has a class
     */
    static Optional<String> defaults(Predicate<String> has) {
        if (has.test("org.apache.hadoop.fs.BulkDelete")) {
            return Optional.of("io/ecfs/hadoop/bulk.xml");
        }
        return has.test("org.apache.hadoop.fs.LeaseRecoverable")
                ? Optional.of("io/ecfs/hadoop/recoverable.xml")
                : Optional.empty();
    }
}
