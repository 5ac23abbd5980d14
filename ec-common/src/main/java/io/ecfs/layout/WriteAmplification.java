package io.ecfs.layout;

/**
 * What files take on the disks of datanodes. A chunk is two files there, its bytes and its checksum file; both exist
 * for a chunk without bytes too, as the last data chunks of a short group are:
 *
 * <pre>
 *   .data   the chunk's bytes, padding left out: {@link GroupLayout#chunkBytes}
 *   .sum    a header of 512 bytes, then 4 bytes for each window of 4 KiB
 * </pre>
 *
 * So the metadata of a stripe, S_meta in the ECFault paper (section 4.4), is known exactly. Tail logs exist only while
 * a group is written, and are not included.
 *
 * @param userBytes bytes of the files
 * @param chunks of their groups
 * @param chunkBytes of all chunks, parity included
 * @param checksumBytes of all checksum files
 * @param blockBytes of both kinds of files, each rounded up to {@link #BLOCK_BYTES}, as on a file system
 */
public record WriteAmplification(long userBytes, long chunks, long chunkBytes, long checksumBytes, long blockBytes) {
    /** Unit in which a file system gives space to a file. */
    public static final int BLOCK_BYTES = 4096;

    /** Bytes of a checksum file before its checksums: docs/formats.md. */
    public static final int CHECKSUM_HEADER_BYTES = 512;

    private static final WriteAmplification NONE = new WriteAmplification(0, 0, 0, 0, 0);

    /**
     * A file whose groups are its own, each full but the last, as a writer makes them that loses no datanode.
     *
     * @param fileBytes 0 takes nothing: such a file has no group
     */
    public static WriteAmplification ofFile(Policy policy, long fileBytes) {
        if (fileBytes < 0) {
            throw new IllegalArgumentException("a file has 0 bytes or more, got " + fileBytes);
        }
        WriteAmplification full =
                ofGroup(new GroupLayout(policy, policy.groupBytes())).times(fileBytes / policy.groupBytes());
        long rest = fileBytes % policy.groupBytes();
        return rest == 0 ? full : full.plus(ofGroup(new GroupLayout(policy, rest)));
    }

    /**
     * Files of one length that share groups, one behind the other.
     *
     * @param files at least one
     * @param fileBytes of each, at least one
     */
    public static WriteAmplification ofPack(Policy policy, long files, long fileBytes) {
        WriteAmplification stream = ofFile(policy, PackPlace.end(policy, files, fileBytes));
        return new WriteAmplification(
                Math.multiplyExact(files, fileBytes),
                stream.chunks,
                stream.chunkBytes,
                stream.checksumBytes,
                stream.blockBytes);
    }

    private static WriteAmplification ofGroup(GroupLayout group) {
        WriteAmplification sum = NONE;
        for (int index = 0; index < group.policy().chunks(); index++) {
            long data = group.chunkBytes(index);
            long checksums = checksumFileBytes(data);
            sum = sum.plus(new WriteAmplification(0, 1, data, checksums, inBlocks(data) + inBlocks(checksums)));
        }
        return new WriteAmplification(group.length(), sum.chunks, sum.chunkBytes, sum.checksumBytes, sum.blockBytes);
    }

    private static long checksumFileBytes(long chunkBytes) {
        return CHECKSUM_HEADER_BYTES + Integer.BYTES * GroupLayout.ceilDiv(chunkBytes, Policy.CHECKSUM_WINDOW_BYTES);
    }

    private static long inBlocks(long fileBytes) {
        return Math.multiplyExact(GroupLayout.ceilDiv(fileBytes, BLOCK_BYTES), BLOCK_BYTES);
    }

    /** Both together. */
    public WriteAmplification plus(WriteAmplification other) {
        return new WriteAmplification(
                Math.addExact(userBytes, other.userBytes),
                Math.addExact(chunks, other.chunks),
                Math.addExact(chunkBytes, other.chunkBytes),
                Math.addExact(checksumBytes, other.checksumBytes),
                Math.addExact(blockBytes, other.blockBytes));
    }

    /** So many of the same. */
    public WriteAmplification times(long count) {
        return new WriteAmplification(
                Math.multiplyExact(userBytes, count),
                Math.multiplyExact(chunks, count),
                Math.multiplyExact(chunkBytes, count),
                Math.multiplyExact(checksumBytes, count),
                Math.multiplyExact(blockBytes, count));
    }

    /** Bytes of all chunk and checksum files together, as their lengths say. */
    public long fileBytes() {
        return Math.addExact(chunkBytes, checksumBytes);
    }

    /**
     * Bytes that a store takes for each byte of an object when every chunk is padded to its units: the lower bound of
     * the ECFault paper (section 4.4), S_unit ceil(S / (k S_unit)) n / S, without metadata.
     *
     * @param dataChunks k
     * @param chunks n
     * @param unitBytes S_unit, Ceph's stripe unit
     * @param objectBytes S
     */
    public static double padded(int dataChunks, int chunks, long unitBytes, long objectBytes) {
        if (dataChunks < 1 || chunks < dataChunks || unitBytes < 1 || objectBytes < 1) {
            throw new IllegalArgumentException("padding takes 1 <= k <= n, a unit and an object of at least a byte, got"
                    + " k=" + dataChunks + " n=" + chunks + " unit=" + unitBytes + " object=" + objectBytes);
        }
        long units = GroupLayout.ceilDiv(objectBytes, Math.multiplyExact(dataChunks, unitBytes));
        return (double) Math.multiplyExact(unitBytes, units) * chunks / objectBytes;
    }
}
