package io.ecfs.advise;

import io.ecfs.layout.Policy;
import io.ecfs.layout.WriteAmplification;
import java.util.List;

/**
 * What all files take under a policy.
 *
 * @param userBytes of the files
 * @param chunks of all groups
 * @param chunkBytes of these
 * @param blockBytes on the disks, checksums and whole blocks of the file system included
 */
record StoredFiles(double userBytes, double chunks, double chunkBytes, double blockBytes) {
    /**
     * Adds them up.
     *
     * @param packedUpTo length up to which files share groups; a stripe's data at most, 0: none does
     */
    static StoredFiles of(Policy policy, List<FileSet> files, long packedUpTo) {
        long packed = Math.min(packedUpTo, policy.stripeBytes());
        StoredFiles all = new StoredFiles(0, 0, 0, 0);
        for (FileSet set : files) {
            all = set.bytes() <= packed
                    ? all.plus(WriteAmplification.ofPack(policy, set.count(), set.bytes()), 1)
                    : all.plus(WriteAmplification.ofFile(policy, set.bytes()), set.count());
        }
        return all;
    }

    private StoredFiles plus(WriteAmplification more, long times) {
        return new StoredFiles(
                userBytes + (double) times * more.userBytes(),
                chunks + (double) times * more.chunks(),
                chunkBytes + (double) times * more.chunkBytes(),
                blockBytes + (double) times * more.blockBytes());
    }

    double perByte() {
        return blockBytes / userBytes;
    }
}
