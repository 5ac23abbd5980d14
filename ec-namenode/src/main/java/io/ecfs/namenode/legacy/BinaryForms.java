package io.ecfs.namenode.legacy;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.InodeId;
import io.ecfs.layout.Policy;
import io.ecfs.layout.Stamp;
import io.ecfs.message.Message;
import io.ecfs.message.VolumeId;
import io.ecfs.message.namespace.NamespaceReply;
import io.ecfs.message.namespace.NamespaceRequest.Mutation;
import io.ecfs.namenode.command.Caller;
import io.ecfs.namenode.command.Command;
import io.ecfs.namenode.command.CommandResult;
import io.ecfs.namenode.group.GroupFacts;
import io.ecfs.namenode.group.GroupFacts.Place;
import io.ecfs.namenode.row.RowReader;
import io.ecfs.wire.codec.MessageCodec;
import io.ecfs.wire.codec.WireNumbers;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Fixed forms of what most log entries of 6e8d76b hold: a client's call, and the outcomes of the frequent ones. Fields
 * as in {@link RowReader}; a head is that of the message on the wire, under the number that it had there.
 *
 * <pre>
 *   call    = u8 1 | i64 now ms | text user | number of groups | text each | number of the mutation's record
 *             | blob head | number of candidates | number of each volume | u8 (0, 1) | text expired holder, when 1
 *   refused = u8 1 | u8 0 | text code | text message
 *   done    = u8 1 | u8 1
 *   status  = u8 1 | u8 2 | blob head of a Status
 *   created = u8 1 | u8 3 | blob head of a Status | group
 *   allocated = u8 1 | u8 4 | group
 *   group   = number group | number file | text policy | number length + 1
 *             | for each chunk: number volume (0: absent), number generation
 * </pre>
 *
 * The first byte cannot begin a CBOR map, so that both may stand in one log. Safe for use by many threads.
 */
final class BinaryForms {
    private static final int VERSION = 1;
    private static final int REFUSED = 0;
    private static final int DONE = 1;
    private static final int STATUS = 2;
    private static final int CREATED = 3;
    private static final int ALLOCATED = 4;

    private final MessageCodec messages = new MessageCodec();

    /** Returns whether the bytes are of a form of this class; others are CBOR. */
    static boolean begins(byte[] bytes) {
        return bytes.length > 0 && bytes[0] == VERSION;
    }

    /** @throws IllegalStateException or another unchecked exception when the bytes are no call */
    Command.Call call(byte[] bytes) throws EcfsException {
        RowReader in = new RowReader(bytes);
        in.version(VERSION, "call");
        long now = in.i64();
        String user = in.text();
        int groups = in.smallNumber();
        List<String> names = new ArrayList<>();
        for (int i = 0; i < groups; i++) {
            names.add(in.text());
        }
        Message mutation = messages.decode(in.smallNumber(), in.blob());
        int volumes = in.smallNumber();
        List<VolumeId> candidates = new ArrayList<>();
        for (int i = 0; i < volumes; i++) {
            candidates.add(new VolumeId(in.smallNumber()));
        }
        Optional<String> expiredHolder = in.u8() == 1 ? Optional.of(in.text()) : Optional.empty();
        in.end();
        return new Command.Call(now, new Caller(user, names), (Mutation) mutation, candidates, expiredHolder);
    }

    /** @throws IllegalStateException or another unchecked exception when the bytes are no outcome */
    CommandResult applied(byte[] bytes) throws EcfsException {
        RowReader in = new RowReader(bytes);
        in.version(VERSION, "outcome");
        int kind = in.u8();
        CommandResult applied = switch (kind) {
            case REFUSED -> new CommandResult.Refused(ErrorCode.valueOf(in.text()), in.text());
            case DONE -> new CommandResult.Done();
            case STATUS -> new CommandResult.Status(status(in).status());
            case CREATED -> new CommandResult.Created(status(in).status(), group(in));
            case ALLOCATED -> new CommandResult.Allocated(group(in));
            default -> throw new IllegalStateException("no outcome has the number " + kind);
        };
        in.end();
        return applied;
    }

    private NamespaceReply.Status status(RowReader in) throws EcfsException {
        return (NamespaceReply.Status) messages.decode(WireNumbers.of(NamespaceReply.Status.class), in.blob());
    }

    private static GroupFacts group(RowReader in) {
        GroupId group = new GroupId(in.number());
        InodeId file = new InodeId(in.number());
        Policy policy = Policy.parse(in.text());
        long length = in.number() + GroupFacts.OPEN_LENGTH;
        List<Place> places = new ArrayList<>(policy.chunks());
        for (int i = 0; i < policy.chunks(); i++) {
            int volume = in.smallNumber();
            places.add(new Place(volume == 0 ? Optional.empty() : Optional.of(new VolumeId(volume)), in.smallNumber()));
        }
        return new GroupFacts(group, file, policy, length, places, Stamp.NONE);
    }
}
