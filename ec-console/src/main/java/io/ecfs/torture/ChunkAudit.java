package io.ecfs.torture;

import io.ecfs.client.EcfsClient;
import io.ecfs.code.ErasureCode;
import io.ecfs.code.construction.Codes;
import io.ecfs.code.kernel.Kernels;
import io.ecfs.env.real.Poller;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.Extent;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.GroupLayout;
import io.ecfs.message.FilePath;
import io.ecfs.message.chunk.ChunkLocation;
import io.ecfs.message.namespace.FileStatus;
import io.ecfs.message.namespace.LocatedGroup;
import io.ecfs.message.namespace.NamespaceReply;
import io.ecfs.transfer.ChunkBytes;
import io.ecfs.transfer.ChunkClient;
import io.ecfs.wire.Await;
import io.ecfs.wire.Caller;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Reads every chunk of every group from its own datanode, past the client's reader, and encodes the data again: what
 * the parity chunks have must be that. So a chunk is not there, or wrong though its checksums fit, even where no reader
 * needs it.
 */
public final class ChunkAudit {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration POLL_INTERVAL = Duration.ofMillis(250);

    private final EcfsClient client;
    private final ChunkClient chunks;
    private final Codes codes = new Codes(Kernels.best());
    private final Set<GroupId> encoded = new HashSet<>();

    /** @param caller of datanodes */
    public ChunkAudit(EcfsClient client, Caller caller) {
        this.client = client;
        this.chunks = new ChunkClient(caller, PATIENCE);
    }

    /** @return what is wrong with chunks of the files among these paths */
    public List<String> run(List<String> paths) throws IOException {
        List<String> problems = new ArrayList<>();
        sealed(paths, problems);
        return problems;
    }

    /**
     * Encodes those again that were not before.
     *
     * @return the sealed groups of the files among these paths
     */
    private Set<GroupId> sealed(List<String> paths, List<String> problems) throws IOException {
        Set<GroupId> sealed = new HashSet<>();
        for (String path : paths) {
            for (LocatedGroup group : groups(path)) {
                if (!group.open()) {
                    sealed.add(group.group());
                    if (encoded.add(group.group())) {
                        check(path, group, problems);
                    }
                }
            }
        }
        return sealed;
    }

    /** Number of groups that were encoded again. */
    public int groups() {
        return encoded.size();
    }

    /**
     * Compares how many whole groups the namenodes have with those of the files, as these are now, since groups of
     * which little is alive are rewritten meanwhile: no path leads to one more. New groups are encoded again, too.
     *
     * @param paths that were audited
     * @param others files that were not audited, since some of their bytes are lost
     * @param bound how long groups of deleted files may stay
     * @return what is wrong
     */
    public List<String> orphanGroups(List<String> paths, List<String> others, Duration bound)
            throws IOException, InterruptedException {
        List<String> problems = new ArrayList<>();
        Poller poller = Poller.every(POLL_INTERVAL);
        while (true) {
            Set<GroupId> certain = sealed(paths, problems);
            Set<GroupId> all = new HashSet<>(certain);
            for (String path : others) {
                groups(path).forEach(group -> all.add(group.group()));
            }
            long whole = Await.result(client.admin().report()).groups().healthy();
            if (!problems.isEmpty() || (certain.size() <= whole && whole <= all.size())) {
                return problems;
            }
            if (poller.passed(bound)) {
                return List.of("the files have " + all.size() + " groups, of which " + certain.size()
                        + " are whole for certain, and the namenodes have " + whole);
            }
            poller.pause();
        }
    }

    private List<LocatedGroup> groups(String path) throws IOException {
        List<LocatedGroup> groups = new ArrayList<>();
        try {
            FileStatus file = Await.result(client.status(new FilePath(path)));
            for (long at = 0; !file.directory() && at < file.length(); ) {
                NamespaceReply.Located page = Await.result(client.locate(new FilePath(path), at, file.length() - at));
                groups.addAll(page.groups());
                if (at == 0) {
                    page.patches().ifPresent(patches -> groups.addAll(patches.groups()));
                }
                List<Extent> extents = page.extents();
                at = extents.isEmpty() // a hole up to the end
                        ? file.length()
                        : extents.get(extents.size() - 1).fileEnd();
            }
        } catch (EcfsException e) {
            if (e.code() != ErrorCode.NOT_FOUND && e.code() != ErrorCode.PARENT_NOT_DIRECTORY) {
                throw e;
            }
        }
        return groups;
    }

    private void check(String path, LocatedGroup group, List<String> problems) throws IOException {
        GroupLayout layout = new GroupLayout(group.policy(), group.length());
        int codedBytes = Math.toIntExact(layout.codedChunkBytes());
        ByteBuffer[] data = new ByteBuffer[group.policy().dataChunks()];
        ByteBuffer[] parity = new ByteBuffer[group.policy().chunks() - data.length];
        for (int index = 0; index < group.policy().chunks(); index++) {
            ByteBuffer bytes = ByteBuffer.allocateDirect(codedBytes);
            String wrong = read(group, index, Math.toIntExact(layout.chunkBytes(index)), bytes);
            if (!wrong.isEmpty()) {
                problems.add(path + ": chunk " + index + " of " + group.group() + " " + wrong);
                return;
            }
            if (index < data.length) {
                data[index] = bytes;
            } else {
                parity[index - data.length] = bytes;
            }
        }
        compare(path, group, layout, data, parity, problems);
    }

    /** @return what is wrong with the chunk; empty: its bytes are in {@code into}, zeros behind them */
    private String read(LocatedGroup group, int index, int length, ByteBuffer into) throws IOException {
        if (length == 0) {
            return "";
        }
        if (group.chunk(index).isEmpty()) {
            return "is nowhere";
        }
        ChunkLocation location = group.chunk(index).get();
        try (ChunkBytes bytes = Await.result(
                chunks.read(location.address(), location.chunk(), location.volume(), 0, length, group.token()))) {
            bytes.slice(0, length).getBytes(0, into.duplicate().limit(length));
            return "";
        } catch (EcfsException e) {
            return "cannot be read from " + location.datanode() + ": " + e.code() + ": " + e.getMessage();
        }
    }

    private void compare(
            String path,
            LocatedGroup group,
            GroupLayout layout,
            ByteBuffer[] data,
            ByteBuffer[] parity,
            List<String> problems) {
        ErasureCode code = codes.of(group.policy().code());
        for (long stripe = 0; stripe < layout.stripes(); stripe++) {
            int at = Math.toIntExact(layout.cellOffset(stripe));
            int bytes = layout.cellBytes(stripe);
            ByteBuffer[] again = new ByteBuffer[parity.length];
            for (int i = 0; i < again.length; i++) {
                again[i] = ByteBuffer.allocateDirect(bytes);
            }
            code.encode(cells(data, at, bytes), again);
            for (int i = 0; i < again.length; i++) {
                if (!again[i].equals(parity[i].slice(at, bytes))) {
                    problems.add(path + ": parity chunk " + i + " of " + group.group()
                            + " is not that of its data, in stripe " + stripe);
                }
            }
        }
    }

    private static ByteBuffer[] cells(ByteBuffer[] chunks, int at, int bytes) {
        ByteBuffer[] cells = new ByteBuffer[chunks.length];
        for (int i = 0; i < cells.length; i++) {
            cells[i] = chunks[i].slice(at, bytes);
        }
        return cells;
    }
}
