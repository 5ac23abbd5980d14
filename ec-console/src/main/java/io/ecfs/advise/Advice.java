package io.ecfs.advise;

import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * One policy for the files and goals that were given.
 *
 * @param cell bytes of a cell in use
 * @param storedPerByte bytes on disks for each byte of the files: parity, padding, checksums and whole blocks included
 * @param survives any so many chunks of a group may be lost
 * @param readPerByte bytes that a repair reads for each byte of a single lost chunk, on average over all chunks
 * @param recoverySeconds from the death of a datanode until all that it had is rebuilt; empty where no datanode is left
 *     to rebuild on
 * @param bottleneck of the work in it; empty with it
 * @param datanodesNeeded the fewest that have place for a group and for a rebuilt chunk, and meet the goal of recovery;
 *     empty where not even {@link Machines#MOST_DATANODES} do
 * @param verdict {@link #MEETS}, or the goals that are not met, with numbers
 */
public record Advice(
        String policy,
        int cell,
        double storedPerByte,
        int survives,
        double readPerByte,
        OptionalDouble recoverySeconds,
        Optional<Bottleneck> bottleneck,
        OptionalInt datanodesNeeded,
        String verdict) {
    public static final String MEETS = "meets all goals";

    /** Returns whether no goal is missed. */
    public boolean meetsAll() {
        return verdict.equals(MEETS);
    }
}
