package io.ecfs.fault.lab;

import java.util.List;

/**
 * What clients saw while faults lasted.
 *
 * @param reads of whole files
 * @param writes of whole files that were acknowledged
 * @param failures the first ones
 */
public record ClientCounts(long reads, long failedReads, long writes, long failedWrites, List<String> failures) {
    public ClientCounts {
        failures = List.copyOf(failures);
    }
}
