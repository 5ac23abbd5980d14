package io.ecfs.namenode.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.InodeId;
import io.ecfs.layout.Policy;
import io.ecfs.message.Address;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.FeatureLevel;
import io.ecfs.message.FilePath;
import io.ecfs.message.RequestId;
import io.ecfs.message.VolumeId;
import io.ecfs.message.namespace.FileStatus;
import io.ecfs.message.namespace.NamespaceRequest.CompleteFile;
import io.ecfs.message.namespace.NamespaceRequest.Create;
import io.ecfs.message.namespace.NamespaceRequest.Delete;
import io.ecfs.message.namespace.NamespaceRequest.Mkdirs;
import io.ecfs.message.namespace.NamespaceRequest.Mutation;
import io.ecfs.message.namespace.NamespaceRequest.Rename;
import io.ecfs.message.namespace.SealedGroup;
import io.ecfs.namenode.cluster.Counter;
import io.ecfs.namenode.command.CallerIdentity;
import io.ecfs.namenode.command.Command;
import io.ecfs.namenode.command.CommandResult;
import io.ecfs.namenode.entry.CommandCodec;
import io.ecfs.namenode.group.ChunkOnVolume;
import io.ecfs.namenode.group.GroupFacts;
import io.ecfs.namenode.log.ReplicatedState.Position;
import io.ecfs.namenode.store.KeyValueStore;
import io.ecfs.namenode.store.KeyValueStore.Table;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** A state with a log of its own: formatted, six datanodes with one volume each, a clock that the test moves. */
public final class Ledger {
    public static final Policy POLICY = Policy.parse("rs-2-2-64k");
    /** Of all groups here. */
    public static final int STAMP = 0x5EED_5EED;

    public static final CallerIdentity ROOT = new CallerIdentity("root", List.of());
    public static final int DATANODES = 6;
    /** A chunk of which the facts say nothing. */
    public static final ChunkOnVolume STRAY = new ChunkOnVolume(new VolumeId(1), new ChunkId(new GroupId(2), 0, 0));

    public final KeyValueStore store;
    public final MetadataState state;
    public final CommandCodec codec = new CommandCodec();
    public final List<byte[]> commands = new ArrayList<>();
    public final List<VolumeId> volumes;
    public long now = 1_000_000;
    private long sequence;
    public Optional<String> expired = Optional.empty();

    public Ledger(KeyValueStore store) {
        this(store, FeatureLevel.RELEASE);
    }

    public Ledger(KeyValueStore store, int level) {
        this.store = store;
        state = new MetadataState(store);
        apply(new Command.Format(now, "cluster", "root", POLICY, Optional.empty(), Optional.of(level)));
        for (int i = 0; i < DATANODES; i++) {
            apply(new Command.RegisterDatanode(
                    now,
                    new DatanodeId("dn" + i),
                    "uuid" + i,
                    new Address("host", 9000 + i),
                    "/r",
                    List.of("vol" + i)));
        }
        volumes = IntStream.rangeClosed(1, DATANODES).mapToObj(VolumeId::new).toList();
    }

    public CommandResult apply(Command command) {
        byte[] bytes = codec.encode(command);
        commands.add(bytes);
        long index = state.applied().index() + 1;
        return decode(state.apply(new Position(1, index), List.of(bytes)).get(0));
    }

    /** Applies commands as one log entry, as a busy leader proposes them. */
    public void applyTogether(List<Command> entry) {
        List<byte[]> bytes = entry.stream().map(codec::encode).toList();
        state.apply(new Position(1, state.applied().index() + 1), bytes);
    }

    /** The command of a call that arrives now. */
    public Command.Call command(Mutation mutation) {
        return command(ROOT, mutation);
    }

    private Command.Call command(CallerIdentity caller, Mutation mutation) {
        return new Command.Call(now, caller, mutation, volumes, expired, Optional.of(STAMP));
    }

    /** A command as it was logged. */
    public Command decoded(byte[] command) {
        try {
            return codec.command(command);
        } catch (EcfsException e) {
            throw new AssertionError(e);
        }
    }

    public CommandResult decode(byte[] answer) {
        try {
            return codec.applied(answer);
        } catch (EcfsException e) {
            throw new AssertionError(e);
        }
    }

    public CommandResult call(CallerIdentity caller, Mutation mutation) {
        return apply(command(caller, mutation));
    }

    public CommandResult call(Mutation mutation) {
        return call(ROOT, mutation);
    }

    public void done(Mutation mutation) {
        assertThat(call(mutation)).isEqualTo(new CommandResult.Done());
    }

    public void refused(CommandResult applied, ErrorCode code) {
        assertThat(applied)
                .isInstanceOfSatisfying(
                        CommandResult.Refused.class,
                        r -> assertThat(r.code()).as(r.message()).isEqualTo(code));
    }

    public void refused(Mutation mutation, ErrorCode code) {
        refused(ROOT, mutation, code);
    }

    /** Refused, and without a trace but for the remembered answer. */
    public void refused(CallerIdentity caller, Mutation mutation, ErrorCode code) {
        List<String> before = facts();
        refused(call(caller, mutation), code);
        assertThat(facts()).as("a refused call leaves no trace").isEqualTo(before);
    }

    /** Every row but those that remember answers. */
    private List<String> facts() {
        List<String> rows = new ArrayList<>();
        try (KeyValueStore.View view = store.view()) {
            for (Table table : Table.values()) {
                if (table != Table.RETRIES && table != Table.META) {
                    view.scan(
                            table,
                            new byte[0],
                            null,
                            (key, row) -> rows.add(table + Arrays.toString(key) + Arrays.toString(row)));
                }
            }
            for (Counter counter : Counter.values()) {
                if (counter != Counter.LAST_SESSION && counter != Counter.ENDED_SESSION) {
                    rows.add(counter + "=" + counter.of(view));
                }
            }
        }
        return rows;
    }

    public RequestId request() {
        return request("client");
    }

    public RequestId request(String client) {
        return new RequestId(client, ++sequence);
    }

    public Mkdirs mkdirs(String path) {
        return new Mkdirs(request(), path(path), 0755, true);
    }

    public Create create(String path, boolean overwrite) {
        return new Create(request(), path(path), 0644, overwrite, true, Optional.empty());
    }

    public Delete delete(String path) {
        return new Delete(request(), path(path), true);
    }

    public Rename rename(String from, String to, boolean overwrite) {
        return new Rename(request(), path(from), path(to), overwrite);
    }

    public CommandResult.Created open(String path) {
        return (CommandResult.Created) call(create(path, false));
    }

    public FileStatus close(CommandResult.Created file, long length) {
        return ((CommandResult.Status) call(complete(file, length))).status();
    }

    public CompleteFile complete(CommandResult.Created file, long length) {
        return new CompleteFile(request(), file.status().inode(), Optional.of(sealed(file.first(), length)));
    }

    public FileStatus write(String path, long length) {
        return close(open(path), length);
    }

    public static SealedGroup sealed(GroupFacts group, long length) {
        return sealed(
                group,
                length,
                IntStream.range(0, length == 0 ? 0 : group.places().size()).toArray());
    }

    public static SealedGroup sealed(GroupFacts group, long length, int... finished) {
        List<ChunkId> chunks = IntStream.of(finished).mapToObj(group::chunk).toList();
        return new SealedGroup(group.group(), length, chunks);
    }

    public Optional<FileStatus> status(String path) {
        return status(path, ROOT);
    }

    public Optional<FileStatus> status(String path, CallerIdentity caller) {
        try (MetadataView view = state.view()) {
            return Optional.of(view.namespace().status(path(path), caller));
        } catch (EcfsException e) {
            assertThat(e.code()).isIn(ErrorCode.NOT_FOUND, ErrorCode.PARENT_NOT_DIRECTORY);
            return Optional.empty();
        }
    }

    public List<String> list(String path) {
        try (MetadataView view = state.view()) {
            return view.namespace().list(path(path), "", 1000, ROOT).entries().stream()
                    .map(s -> s.path().name())
                    .toList();
        } catch (EcfsException e) {
            throw new AssertionError(e);
        }
    }

    public boolean hasLease(InodeId file) {
        try (MetadataView view = state.view()) {
            return view.namespace().lease(file).isPresent();
        } catch (EcfsException e) {
            throw new AssertionError(e);
        }
    }

    public static FilePath path(String text) {
        return new FilePath(text);
    }
}
