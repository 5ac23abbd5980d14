package io.ecfs.sim;

import java.util.List;

/**
 * Changes of main code that lose or falsify acknowledged bytes, for {@link SimulationMutants}; docs/horrors.md has what
 * became of each.
 */
@SuppressWarnings("StringConcatToTextBlock") // lines of sources, with the spaces before them
final class Mutants {
    private static final String STORE = "ec-datanode/src/main/java/io/ecfs/datanode/store/";
    private static final String REPAIR = "ec-datanode/src/main/java/io/ecfs/datanode/repair/";
    private static final String WRITE = "ec-client/src/main/java/io/ecfs/client/write/";
    private static final String UPDATE = "ec-client/src/main/java/io/ecfs/client/update/";
    private static final String PATCH = "ec-common/src/main/java/io/ecfs/patch/";
    private static final String CHUNKS = "ec-common/src/main/java/io/ecfs/stripe/write/";
    private static final String TAIL = "ec-common/src/main/java/io/ecfs/tail/";
    private static final String GROUP = "ec-namenode/src/main/java/io/ecfs/namenode/group/";
    private static final String STATE = "ec-namenode/src/main/java/io/ecfs/namenode/state/";
    private static final String LEASE = "ec-namenode/src/main/java/io/ecfs/namenode/lease/";
    private static final String DELETION = "ec-namenode/src/main/java/io/ecfs/namenode/deletion/";
    private static final String LEADER = "ec-namenode/src/main/java/io/ecfs/namenode/leader/";

    static final List<Mutant> ALL = List.of(
            // Datanode: what is on disk, and what a start makes of it
            new Mutant("syncWithoutBytes", STORE + "Tails.java", "            chunkStorage.syncBytes(chunk);\n", ""),
            new Mutant("recordsNotSynced", STORE + "Tails.java", "if (log.dirty()) {", "if (false) {"),
            new Mutant(
                    "fenceWithoutSync",
                    STORE + "Tails.java",
                    "chunkStorage.syncWhole(chunk);\n        TailLog",
                    "TailLog"),
            new Mutant("holesAccepted", STORE + "Tails.java", "if (!all || log.damaged()) {", "if (log.damaged()) {"),
            new Mutant(
                    "putWithoutSync",
                    STORE + "ChunkStorage.java",
                    "                io.sync(files.data());\n"
                            + "                io.sync(files.sum());\n"
                            + "            }\n"
                            + "            io.rename(files.sum(), published.sum());",
                    "            }\n            io.rename(files.sum(), published.sum());"),
            new Mutant(
                    "publishedNamesNotSynced",
                    STORE + "ChunkStorage.java",
                    "            io.syncDirectory(from.in(Place.FINALISED).directory());\n"
                            + "            io.syncDirectory(from.directory());\n"
                            + "        }\n"
                            + "        return StoredChunk.sound(from.in(Place.FINALISED), header, header.chunkBytes());",
                    "        }\n"
                            + "        return StoredChunk.sound(from.in(Place.FINALISED), header, header.chunkBytes());"),
            new Mutant(
                    "publishedBytesNotSynced",
                    STORE + "ChunkStorage.java",
                    "            io.sync(from.data());\n            io.sync(from.sum());\n        }\n        try {",
                    "        }\n        try {"),
            new Mutant("notCompared", STORE + "ChunkVerifier.java", "if (chunk.uncompared()) {", "if (false) {"),
            new Mutant(
                    "logDroppedFirst",
                    STORE + "ChunkLifecycle.java",
                    "                StoredChunk published = storage.publish(chunk, header, sync);",
                    "                tails.drop(chunk.chunk());\n"
                            + "                StoredChunk published = storage.publish(chunk, header, sync);"),
            new Mutant(
                    "fenceIgnored",
                    STORE + "StoredChunk.java",
                    "if (validHeader().fenced() || validHeader().writer() != writer) {",
                    "if (validHeader().writer() != writer) {"),
            new Mutant(
                    "noBackgroundSync",
                    STORE + "ChunkLifecycle.java",
                    "                    closed.closed(published);\n",
                    ""),
            new Mutant(
                    "startBelievesTheHeader",
                    STORE + "StartupScan.java",
                    "storage.longEnough(files, bytes) && verifiedEnd(files, 0, bytes) == bytes",
                    "storage.longEnough(files, bytes)"),
            new Mutant(
                    "rottenRecordsRead",
                    STORE + "TailStorage.java",
                    "return ChunkPayload.firstMismatch(into.slice(begin, bytes), stored).isEmpty();",
                    "return true;"),
            new Mutant(
                    "cutTailKeepsMark",
                    STORE + "Tails.java",
                    "        if (chunk.validHeader().fence() > fence) {",
                    "        if (false) {"),
            // Repair
            new Mutant(
                    "originalNotCompared",
                    REPAIR + "OriginalCheck.java",
                    "state() == State.READ ? differing(offset, count, payload) : OptionalInt.empty()",
                    "OptionalInt.empty()"),
            // Client
            new Mutant(
                    "syncedGroupPublishedWithout",
                    WRITE + "GroupWriter.java",
                    "group.tail().acknowledgedAnythingOnDisk()\n                || queue",
                    "queue"),
            new Mutant("claimNotAwaited", WRITE + "GroupWriter.java", "if (!claim.confirmed()) {", "if (false) {"),
            new Mutant(
                    "earlierGroupsNotSynced",
                    WRITE + "UnsyncedGroups.java",
                    "return asked && !groups.isEmpty();",
                    "return false;"),
            new Mutant(
                    "promiseWithFailedChunks",
                    WRITE + "GroupWriter.java",
                    "boolean all = group.chunks().live() == liveAtStart;",
                    "boolean all = true;"),
            new Mutant(
                    "tooFewFinished",
                    WRITE + "GroupWriter.java",
                    "return group.chunks().enough() ? published() : unsafe();",
                    "return published();"),
            new Mutant("settledTooSoon", CHUNKS + "GroupTail.java", "if (!owesSyncOf(stripes)) {", "if (true) {"),
            new Mutant(
                    "oneCopyTooFew",
                    CHUNKS + "GroupTail.java",
                    "policy.code().parityChunks() + 1",
                    "policy.code().parityChunks()"),
            new Mutant(
                    "dirtyForgotten",
                    CHUNKS + "TailWriter.java",
                    "if (mine.isEmpty() && chunks.get(index).dirty) {",
                    "if (false) {"),
            new Mutant(
                    "syncSaidOfFewer",
                    WRITE + "UnsyncedGroups.java",
                    "one.group().chunks().finishedIndexes().minus(onDisk).isEmpty()",
                    "true"),
            // Files that are updated in place
            new Mutant(
                    "straddlingBatchCounts", UPDATE + "PatchStream.java", "if (pieces.size() == 1) {", "if (true) {"),
            new Mutant(
                    "syncedBatchFlushedOnly",
                    UPDATE + "PatchStream.java",
                    "stream.acknowledgeLater(sync))\n                .thenCompose(acknowledged",
                    "stream.acknowledgeLater(false))\n                .thenCompose(acknowledged"),
            new Mutant(
                    "cutForgottenInIndex",
                    UPDATE + "PatchStream.java",
                    "            shortest = Math.min(shortest, batch.fileLength());\n",
                    ""),
            new Mutant(
                    "indexEntriesShifted",
                    PATCH + "PatchIndex.java",
                    "putInt((int) length).putLong(offset)",
                    "putInt((int) length).putLong(Math.max(0, offset - 1))"),
            new Mutant("tornBatchRead", PATCH + "PatchBatch.java", "&& bytes <= groupLength - groupOffset;", ";"),
            new Mutant(
                    "cuttingPatchDropped",
                    "ec-client/src/main/java/io/ecfs/client/location/PatchedBytes.java",
                    " || (group.cuts && older)",
                    ""),
            new Mutant(
                    "recoveryDropsPatch",
                    "ec-namenode/src/main/java/io/ecfs/namenode/namespace/OpenFile.java",
                    "sealed.ifPresent(group -> patches.add(",
                    "sealed.filter(group -> !lease.recovering()).ifPresent(group -> patches.add("),
            // Lease recovery
            new Mutant(
                    "shortestStripes",
                    TAIL + "RecoverableLength.java",
                    ".sorted(Comparator.reverseOrder())\n                .filter(count ->",
                    ".sorted()\n                .filter(count ->"),
            new Mutant(
                    "recordsIgnored",
                    TAIL + "RecoverableLength.java",
                    "if (end > base && policy",
                    "if (false && policy"),
            new Mutant("silentHoldNothing", TAIL + "UnreachableChunks.java", "if (silent.isEmpty()) {", "if (true) {"),
            new Mutant(
                    "interruptedProve",
                    TAIL + "UnreachableChunks.java",
                    "                        && !interrupted.contains(record.chunk().index()));",
                    "                        );"),
            new Mutant(
                    "nobodyAwaited",
                    LEASE + "GroupRecovery.java",
                    "} else if (answered(file) && !file",
                    "} else if (!file"),
            new Mutant(
                    "earlierFencesCount",
                    LEASE + "GroupRecovery.java",
                    ".filter(file -> fenced.fence() == file.fence())",
                    ".filter(file -> true)"),
            new Mutant(
                    "finishedLengthIgnored",
                    TAIL + "RecoverableLength.java",
                    "return Optional.of(finished(policy, records).orElseGet(() -> withTail(policy, records, tails)));",
                    "return Optional.of(withTail(policy, records, tails));"),
            // Namenode
            new Mutant("stampsAlike", LEADER + "Leader.java", "this.stamp = drawStamp();", "this.stamp = 1;"),
            new Mutant(
                    "entrySkipped",
                    STATE + "MetadataState.java",
                    "            commands.add(decode(position, bytes));",
                    "            try { commands.add(decode(position, bytes)); } catch (RuntimeException e) { failed ="
                            + " null; }"),
            new Mutant(
                    "answersForgotten",
                    STATE + "RetryCache.java",
                    "byte[] row = view.get(Table.RETRIES, owner.answer(request.number()));",
                    "byte[] row = null;"),
            new Mutant(
                    "everyCallAdmitted",
                    STATE + "RetryCache.java",
                    "} else if (session != null && request.number() < session.floor()",
                    "} else if (false"),
            new Mutant(
                    "garbageWithoutProof",
                    GROUP + "Orphans.java",
                    "if (!group.policy().code().redundant(live)) {",
                    "if (false) {"),
            new Mutant(
                    "garbageThoughPlaced",
                    GROUP + "Orphans.java",
                    "if (group.volumeOf(orphan.chunk()).equals(Optional.of(orphan.volume()))) {",
                    "if (false) {"),
            new Mutant(
                    "adoptedWhateverItsLength",
                    GROUP + "Orphans.java",
                    "if (group.open() || group.length() != groupLength) {",
                    "if (group.open()) {"),
            new Mutant(
                    "orphanOfOpenGroup",
                    DELETION + "OrphanService.java",
                    "if (group.open() || stored.chunk().index()",
                    "if (stored.chunk().index()"),
            new Mutant(
                    "stampIgnored",
                    DELETION + "OrphanService.java",
                    "return record.stamp() == stamp ||",
                    "return true ||"),
            new Mutant(
                    "wholeWhateverItHas",
                    GROUP + "GroupFacts.java",
                    "return record.stamp() == stamp && RecoverableLength.holds(new GroupLayout(policy, length),"
                            + " record);",
                    "return record.stamp() == stamp;"),
            new Mutant("noGarbageDelay", DELETION + "DeletionAges.java", "if (delay.isZero()) {", "if (true) {"),
            new Mutant(
                    "anyAttemptPublished",
                    GROUP + "Repairs.java",
                    "if (attempt.filter(a -> a.produces(rebuilt)).isEmpty()) {",
                    "if (false) {"),
            new Mutant(
                    "replacedWithoutProof",
                    GROUP + "Repairs.java",
                    "if (old.isPresent() && survivesALoss(repaired, chunk, proof)) {",
                    "if (old.isPresent()) {"),
            new Mutant(
                    "swapNotCompared",
                    "ec-common/src/main/java/io/ecfs/layout/Extent.java",
                    "                && other.fileEnd() <= fileEnd()\n"
                            + "                && part(skip, other.length).equals(other);",
                    "                && other.fileEnd() <= fileEnd();"),
            new Mutant(
                    "originForgotten",
                    GROUP + "RewritePiece.java",
                    "groupOffset, Optional.of(extent.written()));",
                    "groupOffset, Optional.empty());"),
            new Mutant("sealedWithTooFew", GROUP + "Sealing.java", "if (!enough && !lost) {", "if (false) {"));

    private Mutants() {}
}
