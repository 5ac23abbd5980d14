package io.ecfs.env.real;

import io.ecfs.env.FileNumbers;
import java.util.Optional;
import java.util.ServiceLoader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds the {@link FileNumbers} of this process. */
public final class FileNumbersFound {
    private static final Logger LOG = LoggerFactory.getLogger(FileNumbersFound.class);

    private FileNumbersFound() {}

    /**
     * The first adapter on the class path that can be used here; empty when none can: then open files cannot be passed.
     */
    public static Optional<FileNumbers> find() {
        for (FileNumbers numbers : ServiceLoader.load(FileNumbers.class, FileNumbersFound.class.getClassLoader())) {
            Optional<String> failure = numbers.failure();
            if (failure.isEmpty()) {
                return Optional.of(numbers);
            }
            LOG.info(
                    "event=file_numbers_unavailable adapter={} reason=\"{}\"",
                    numbers.getClass().getSimpleName(),
                    failure.get());
        }
        return Optional.empty();
    }
}
