package io.ecfs.namenode.entry;

import io.ecfs.message.FeatureLevel;
import io.ecfs.message.RequestId;
import io.ecfs.message.namespace.AclEntry;
import io.ecfs.message.namespace.ConversionRule;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.message.namespace.NamespaceRequest.Mutation;
import io.ecfs.message.namespace.PackedFile;
import io.ecfs.message.namespace.PatchGroup;
import io.ecfs.message.namespace.SealedGroup;
import io.ecfs.message.namespace.XAttr;
import io.ecfs.namenode.form.Fields;
import io.ecfs.namenode.form.Form;
import io.ecfs.namenode.form.Forms;
import io.ecfs.namenode.form.Numbers;
import io.ecfs.namenode.group.RewritePiece;
import io.ecfs.namenode.row.RowReader;
import io.ecfs.namenode.row.RowWriter;
import java.util.List;

/**
 * The forms of the calls that a {@code Call} carries in the log, independent of their form on the wire. Numbers that a
 * client chose have all 64 or 32 bits, since they were not checked yet.
 */
final class MutationForms {
    /** Tag of the policy in {@code SetEncoding}. */
    private static final int POLICY_CHANGE = 1;

    private static final List<Form<? extends Mutation>> ALL = List.of(
            Form.of(
                    128,
                    NamespaceRequest.Mkdirs.class,
                    (out, c) -> {
                        request(out, c.request());
                        Fields.path(out, c.path());
                        out.i32(c.mode()).flag(c.createParents());
                    },
                    in -> new NamespaceRequest.Mkdirs(request(in), Fields.path(in), in.i32(), in.flag())),
            Form.of(129, NamespaceRequest.Create.class, MutationForms::create, MutationForms::create),
            Form.of(
                    130,
                    NamespaceRequest.AddGroup.class,
                    (out, c) -> {
                        request(out, c.request());
                        Fields.inode(out, c.file());
                        out.maybe(c.previous(), MutationForms::sealed).list(c.avoid(), Fields::datanode);
                    },
                    in -> new NamespaceRequest.AddGroup(
                            request(in), Fields.inode(in), in.maybe(MutationForms::sealed), in.list(Fields::datanode))),
            Form.of(
                    131,
                    NamespaceRequest.SealGroup.class,
                    (out, c) -> {
                        request(out, c.request());
                        Fields.inode(out, c.file());
                        sealed(out, c.sealed());
                    },
                    in -> new NamespaceRequest.SealGroup(request(in), Fields.inode(in), sealed(in))),
            Form.of(
                    132,
                    NamespaceRequest.CompleteFile.class,
                    (out, c) -> {
                        request(out, c.request());
                        Fields.inode(out, c.file());
                        out.maybe(c.last(), MutationForms::sealed).flag(c.unused());
                    },
                    in -> new NamespaceRequest.CompleteFile(
                            request(in), Fields.inode(in), in.maybe(MutationForms::sealed), in.flag())),
            Form.of(
                    133,
                    NamespaceRequest.LeaveOut.class,
                    (out, c) -> {
                        request(out, c.request());
                        Fields.inode(out, c.file());
                        Fields.group(out, c.group());
                        out.list(c.indexes(), RowWriter::i32);
                    },
                    in -> new NamespaceRequest.LeaveOut(
                            request(in), Fields.inode(in), Fields.group(in), in.list(RowReader::i32))),
            Form.of(
                    134,
                    NamespaceRequest.AbandonFile.class,
                    (out, c) -> {
                        request(out, c.request());
                        Fields.inode(out, c.file());
                    },
                    in -> new NamespaceRequest.AbandonFile(request(in), Fields.inode(in))),
            Form.of(
                    135,
                    NamespaceRequest.Append.class,
                    (out, c) -> {
                        request(out, c.request());
                        Fields.path(out, c.path());
                    },
                    in -> new NamespaceRequest.Append(request(in), Fields.path(in))),
            Form.of(
                    136,
                    NamespaceRequest.Truncate.class,
                    (out, c) -> {
                        request(out, c.request());
                        Fields.path(out, c.path());
                        out.i64(c.length()).maybe(c.from(), RowWriter::i64);
                    },
                    in -> new NamespaceRequest.Truncate(
                            request(in), Fields.path(in), in.i64(), in.maybe(RowReader::i64))),
            Form.of(
                    137,
                    NamespaceRequest.Concat.class,
                    (out, c) -> {
                        request(out, c.request());
                        Fields.path(out, c.path());
                        out.list(c.sources(), Fields::path);
                    },
                    in -> new NamespaceRequest.Concat(request(in), Fields.path(in), in.list(Fields::path))),
            Form.of(
                    138,
                    NamespaceRequest.RecoverLease.class,
                    (out, c) -> {
                        request(out, c.request());
                        Fields.path(out, c.path());
                        out.maybe(c.file(), Fields::inode);
                    },
                    in -> new NamespaceRequest.RecoverLease(request(in), Fields.path(in), in.maybe(Fields::inode))),
            Form.of(
                    139,
                    NamespaceRequest.Rename.class,
                    (out, c) -> {
                        request(out, c.request());
                        Fields.path(out, c.from());
                        Fields.path(out, c.to());
                        out.flag(c.overwrite());
                    },
                    in -> new NamespaceRequest.Rename(request(in), Fields.path(in), Fields.path(in), in.flag())),
            Form.of(
                    140,
                    NamespaceRequest.Delete.class,
                    (out, c) -> {
                        request(out, c.request());
                        Fields.path(out, c.path());
                        out.flag(c.recursive());
                    },
                    in -> new NamespaceRequest.Delete(request(in), Fields.path(in), in.flag())),
            Form.of(
                    141,
                    NamespaceRequest.SetMode.class,
                    (out, c) -> {
                        request(out, c.request());
                        Fields.path(out, c.path());
                        out.i32(c.mode());
                    },
                    in -> new NamespaceRequest.SetMode(request(in), Fields.path(in), in.i32())),
            Form.of(
                    142,
                    NamespaceRequest.SetOwner.class,
                    (out, c) -> {
                        request(out, c.request());
                        Fields.path(out, c.path());
                        out.maybe(c.owner(), RowWriter::text).maybe(c.group(), RowWriter::text);
                    },
                    in -> new NamespaceRequest.SetOwner(
                            request(in), Fields.path(in), in.maybe(RowReader::text), in.maybe(RowReader::text))),
            Form.of(
                    143,
                    NamespaceRequest.SetTimes.class,
                    (out, c) -> {
                        request(out, c.request());
                        Fields.path(out, c.path());
                        out.maybe(c.modifiedMillis(), RowWriter::i64).maybe(c.accessedMillis(), RowWriter::i64);
                    },
                    in -> new NamespaceRequest.SetTimes(
                            request(in), Fields.path(in), in.maybe(RowReader::i64), in.maybe(RowReader::i64))),
            Form.of(
                    144,
                    NamespaceRequest.SetPolicy.class,
                    (out, c) -> {
                        request(out, c.request());
                        Fields.path(out, c.path());
                        out.maybe(c.policy(), Fields::policy);
                    },
                    in -> new NamespaceRequest.SetPolicy(request(in), Fields.path(in), in.maybe(Fields::policy))),
            Form.of(
                    145,
                    NamespaceRequest.ChangeAcl.class,
                    (out, c) -> {
                        request(out, c.request());
                        Fields.path(out, c.path());
                        Numbers.ACL_CHANGE.write(out, c.change());
                        out.list(c.entries(), MutationForms::entry);
                    },
                    in -> new NamespaceRequest.ChangeAcl(
                            request(in), Fields.path(in), Numbers.ACL_CHANGE.read(in), in.list(MutationForms::entry))),
            Form.of(
                    146,
                    NamespaceRequest.SetXAttr.class,
                    (out, c) -> {
                        request(out, c.request());
                        Fields.path(out, c.path());
                        attribute(out, c.attribute());
                        out.flag(c.create()).flag(c.replace());
                    },
                    in -> new NamespaceRequest.SetXAttr(
                            request(in), Fields.path(in), attribute(in), in.flag(), in.flag())),
            Form.of(
                    147,
                    NamespaceRequest.RemoveXAttr.class,
                    (out, c) -> {
                        request(out, c.request());
                        Fields.path(out, c.path());
                        out.text(c.name());
                    },
                    in -> new NamespaceRequest.RemoveXAttr(request(in), Fields.path(in), in.text())),
            Form.of(
                    148,
                    NamespaceRequest.SetQuota.class,
                    (out, c) -> {
                        request(out, c.request());
                        Fields.path(out, c.path());
                        out.maybe(c.names(), RowWriter::i64).maybe(c.space(), RowWriter::i64);
                    },
                    in -> new NamespaceRequest.SetQuota(
                            request(in), Fields.path(in), in.maybe(RowReader::i64), in.maybe(RowReader::i64))),
            Form.of(
                    149,
                    NamespaceRequest.SetSafeMode.class,
                    (out, c) -> {
                        request(out, c.request());
                        out.flag(c.on());
                    },
                    in -> new NamespaceRequest.SetSafeMode(request(in), in.flag())),
            Form.of(
                    150,
                    NamespaceRequest.PauseMover.class,
                    (out, c) -> {
                        request(out, c.request());
                        out.flag(c.paused());
                    },
                    in -> new NamespaceRequest.PauseMover(request(in), in.flag())),
            Form.of(
                    151,
                    NamespaceRequest.SetThrottles.class,
                    (out, c) -> {
                        request(out, c.request());
                        out.maybe(c.repairsAtOnce(), RowWriter::i64)
                                .maybe(c.repairsPerDatanode(), RowWriter::i64)
                                .maybe(c.repairBytesPerSecond(), RowWriter::i64);
                    },
                    in -> new NamespaceRequest.SetThrottles(
                            request(in), in.maybe(RowReader::i64), in.maybe(RowReader::i64), in.maybe(RowReader::i64))),
            Form.of(
                    152,
                    NamespaceRequest.SetAdminState.class,
                    (out, c) -> {
                        request(out, c.request());
                        Fields.datanode(out, c.datanode());
                        Numbers.ADMIN_STATE.write(out, c.wanted());
                        out.maybe(c.forMillis(), RowWriter::i64);
                    },
                    in -> new NamespaceRequest.SetAdminState(
                            request(in), Fields.datanode(in), Numbers.ADMIN_STATE.read(in), in.maybe(RowReader::i64))),
            Form.of(
                    153,
                    NamespaceRequest.OpenSession.class,
                    (out, c) -> request(out, c.request()),
                    in -> new NamespaceRequest.OpenSession(request(in))),
            new Form<>(
                    154,
                    FeatureLevel.PROVED_PEERS,
                    NamespaceRequest.AdmitDatanode.class,
                    (out, c) -> {
                        request(out, c.request());
                        Fields.datanode(out, c.datanode());
                    },
                    in -> new NamespaceRequest.AdmitDatanode(request(in), Fields.datanode(in))),
            new Form<>(
                    155,
                    FeatureLevel.ENCODING_SIDES,
                    NamespaceRequest.SetEncoding.class,
                    (out, c) -> {
                        request(out, c.request());
                        Fields.path(out, c.path());
                        out.maybe(c.side(), Numbers.ENCODING_SIDE::write);
                        out.tagged(
                                POLICY_CHANGE,
                                FeatureLevel.ENCODING_SIDES,
                                c.policy(),
                                (part, policy) -> part.maybe(policy.to(), Fields::policy));
                    },
                    in -> new NamespaceRequest.SetEncoding(
                            request(in),
                            Fields.path(in),
                            in.maybe(Numbers.ENCODING_SIDE::read),
                            in.tagged(
                                    POLICY_CHANGE,
                                    part -> new NamespaceRequest.SetEncoding.PolicyChange(
                                            part.maybe(Fields::policy))))),
            new Form<>(
                    156,
                    FeatureLevel.PACKS,
                    NamespaceRequest.CreateWithoutGroup.class,
                    (out, c) -> create(out, c.create()),
                    in -> new NamespaceRequest.CreateWithoutGroup(create(in))),
            new Form<>(
                    157,
                    FeatureLevel.PACKS,
                    NamespaceRequest.OpenPack.class,
                    (out, c) -> {
                        request(out, c.request());
                        Fields.inode(out, c.like());
                        out.list(c.avoid(), Fields::datanode);
                    },
                    in -> new NamespaceRequest.OpenPack(request(in), Fields.inode(in), in.list(Fields::datanode))),
            new Form<>(
                    158,
                    FeatureLevel.PACKS,
                    NamespaceRequest.CommitFiles.class,
                    (out, c) -> {
                        request(out, c.request());
                        Fields.inode(out, c.pack());
                        out.list(c.files(), MutationForms::packed);
                    },
                    in -> new NamespaceRequest.CommitFiles(
                            request(in), Fields.inode(in), in.list(MutationForms::packed))),
            new Form<>(
                    160,
                    FeatureLevel.REWRITES,
                    NamespaceRequest.ConvertFiles.class,
                    (out, c) -> {
                        request(out, c.request());
                        Fields.path(out, c.path());
                        Fields.policy(out, c.policy());
                        out.flag(c.dryRun());
                    },
                    in -> new NamespaceRequest.ConvertFiles(
                            request(in), Fields.path(in), Fields.policy(in), in.flag())),
            new Form<>(
                    161,
                    FeatureLevel.REWRITES,
                    NamespaceRequest.ControlConversion.class,
                    (out, c) -> {
                        request(out, c.request());
                        out.number(c.job());
                        Numbers.CONVERSION_CONTROL.write(out, c.control());
                    },
                    in -> new NamespaceRequest.ControlConversion(
                            request(in), in.number(), Numbers.CONVERSION_CONTROL.read(in))),
            new Form<>(
                    162,
                    FeatureLevel.REWRITES,
                    NamespaceRequest.SetConversionRules.class,
                    (out, c) -> {
                        request(out, c.request());
                        Fields.path(out, c.path());
                        out.list(c.rules(), MutationForms::rule);
                    },
                    in -> new NamespaceRequest.SetConversionRules(
                            request(in), Fields.path(in), in.list(MutationForms::rule))),
            new Form<>(
                    170,
                    FeatureLevel.PACKS,
                    NamespaceRequest.SetPacking.class,
                    (out, c) -> {
                        request(out, c.request());
                        Fields.path(out, c.path());
                        out.maybe(c.upTo(), RowWriter::number);
                    },
                    in -> new NamespaceRequest.SetPacking(request(in), Fields.path(in), in.maybe(RowReader::number))),
            new Form<>(
                    171,
                    FeatureLevel.UPDATES,
                    NamespaceRequest.OpenUpdate.class,
                    (out, c) -> {
                        request(out, c.request());
                        Fields.path(out, c.path());
                        out.i64(c.nonce());
                    },
                    in -> new NamespaceRequest.OpenUpdate(request(in), Fields.path(in), in.i64())),
            new Form<>(
                    172,
                    FeatureLevel.UPDATES,
                    NamespaceRequest.ReplaceLayout.class,
                    (out, c) -> {
                        request(out, c.request());
                        Fields.inode(out, c.file());
                        out.i64(c.version())
                                .i64(c.length())
                                .list(
                                        c.extents().stream().toList(),
                                        (list, extents) -> list.list(extents, RewritePiece::write))
                                .list(c.patches(), MutationForms::patch);
                    },
                    in -> new NamespaceRequest.ReplaceLayout(
                            request(in),
                            Fields.inode(in),
                            in.i64(),
                            in.i64(),
                            in.list(list -> list.list(RewritePiece::readExtent)).stream()
                                    .findFirst(),
                            in.list(MutationForms::patch))),
            new Form<>(
                    180,
                    FeatureLevel.RINGS,
                    NamespaceRequest.CreateRing.class,
                    (out, c) -> {
                        request(out, c.request());
                        out.text(c.name())
                                .i32(c.colours())
                                .maybe(c.writers(), RowWriter::i32)
                                .i64(c.periodMillis())
                                .list(c.volumes(), Fields::volume)
                                .list(c.spares(), Fields::volume);
                    },
                    in -> new NamespaceRequest.CreateRing(
                            request(in),
                            in.text(),
                            in.i32(),
                            in.maybe(RowReader::i32),
                            in.i64(),
                            in.list(Fields::volume),
                            in.list(Fields::volume))),
            new Form<>(
                    181,
                    FeatureLevel.RINGS,
                    NamespaceRequest.SetRing.class,
                    (out, c) -> {
                        request(out, c.request());
                        out.text(c.name())
                                .maybe(c.writers(), RowWriter::i32)
                                .maybe(c.periodMillis(), RowWriter::i64)
                                .maybe(c.paused(), RowWriter::flag);
                    },
                    in -> new NamespaceRequest.SetRing(
                            request(in),
                            in.text(),
                            in.maybe(RowReader::i32),
                            in.maybe(RowReader::i64),
                            in.maybe(RowReader::flag))),
            new Form<>(
                    182,
                    FeatureLevel.RINGS,
                    NamespaceRequest.AssignVolumes.class,
                    (out, c) -> {
                        request(out, c.request());
                        out.text(c.name())
                                .list(c.add(), Fields::volume)
                                .list(c.spares(), Fields::volume)
                                .list(c.remove(), Fields::volume);
                    },
                    in -> new NamespaceRequest.AssignVolumes(
                            request(in),
                            in.text(),
                            in.list(Fields::volume),
                            in.list(Fields::volume),
                            in.list(Fields::volume))),
            new Form<>(
                    183,
                    FeatureLevel.RINGS,
                    NamespaceRequest.DropRing.class,
                    (out, c) -> {
                        request(out, c.request());
                        out.text(c.name());
                        Numbers.RING_REMAINING.write(out, c.remaining());
                    },
                    in -> new NamespaceRequest.DropRing(request(in), in.text(), Numbers.RING_REMAINING.read(in))),
            new Form<>(
                    184,
                    FeatureLevel.RINGS,
                    NamespaceRequest.SetDirectoryRing.class,
                    (out, c) -> {
                        request(out, c.request());
                        Fields.path(out, c.path());
                        out.maybe(c.ring(), RowWriter::text)
                                .maybe(c.policy(), (part, policy) -> part.maybe(policy.to(), Fields::policy));
                    },
                    in -> new NamespaceRequest.SetDirectoryRing(
                            request(in),
                            Fields.path(in),
                            in.maybe(RowReader::text),
                            in.maybe(part ->
                                    new NamespaceRequest.SetEncoding.PolicyChange(part.maybe(Fields::policy))))));

    static final Forms<Mutation> MUTATIONS = new Forms<>("logged call", ALL);

    private MutationForms() {}

    private static void request(RowWriter out, RequestId request) {
        out.text(request.client()).i64(request.sequence());
    }

    private static RequestId request(RowReader in) {
        return new RequestId(in.text(), in.i64());
    }

    private static void create(RowWriter out, NamespaceRequest.Create create) {
        request(out, create.request());
        Fields.path(out, create.path());
        out.i32(create.mode())
                .flag(create.overwrite())
                .flag(create.createParents())
                .maybe(create.policy(), Fields::policy);
    }

    private static NamespaceRequest.Create create(RowReader in) {
        return new NamespaceRequest.Create(
                request(in), Fields.path(in), in.i32(), in.flag(), in.flag(), in.maybe(Fields::policy));
    }

    private static void packed(RowWriter out, PackedFile packed) {
        Fields.inode(out, packed.file());
        out.list(packed.pieces(), (part, piece) -> {
            Fields.group(part, piece.group());
            part.number(piece.offset()).number(piece.length());
        });
    }

    private static PackedFile packed(RowReader in) {
        return new PackedFile(
                Fields.inode(in),
                in.list(part -> new PackedFile.Piece(Fields.group(part), part.number(), part.number())));
    }

    private static void rule(RowWriter out, ConversionRule rule) {
        Fields.policy(out.number(rule.afterMillis()), rule.to());
    }

    private static ConversionRule rule(RowReader in) {
        return new ConversionRule(in.number(), Fields.policy(in));
    }

    private static void entry(RowWriter out, AclEntry entry) {
        Numbers.ACL_SCOPE.write(out, entry.scope());
        Numbers.ACL_TYPE.write(out, entry.type());
        out.text(entry.name()).u8(entry.bits());
    }

    private static AclEntry entry(RowReader in) {
        return new AclEntry(Numbers.ACL_SCOPE.read(in), Numbers.ACL_TYPE.read(in), in.text(), in.u8());
    }

    private static void attribute(RowWriter out, XAttr attribute) {
        out.text(attribute.name()).blob(attribute.value());
    }

    private static XAttr attribute(RowReader in) {
        return new XAttr(in.text(), in.blob());
    }

    static void patch(RowWriter out, PatchGroup patch) {
        Fields.group(out, patch.group());
        out.maybe(patch.indexOffset(), RowWriter::number).number(patch.length()).number(patch.liveBytes());
    }

    static PatchGroup patch(RowReader in) {
        return new PatchGroup(Fields.group(in), in.maybe(RowReader::number), in.number(), in.number());
    }

    static void sealed(RowWriter out, SealedGroup sealed) {
        Fields.group(out, sealed.group());
        out.number(sealed.length()).list(sealed.finished(), Fields::chunk);
    }

    static SealedGroup sealed(RowReader in) {
        return new SealedGroup(Fields.group(in), in.number(), in.list(Fields::chunk));
    }
}
