package io.ecfs.namenode.namespace.inode;

import io.ecfs.layout.Extent;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.InodeId;
import io.ecfs.layout.Policy;
import io.ecfs.message.namespace.AclEntry;
import io.ecfs.namenode.row.LaterRelease;
import io.ecfs.namenode.row.RowReader;
import io.ecfs.namenode.row.RowWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Rows of inodes:
 *
 * <pre>
 *   row       = u8 version | number parent (0: none) | text name | number mode, + 010000 when a list follows
 *               | text owner | text group | number modified ms | number accessed ms | list
 *               | u8 kind and flags | directory or file
 *   list      = number of entries | each: u8 (scope &lt;&lt; 5 | type &lt;&lt; 3 | bits) | text name
 *   directory = its settings, see {@link DirectorySettings}; in version 1: text policy (empty: none)
 *   file      = text policy | number length, flag 4 | number version, i64 nonce, flag 8
 *               | number of patches | each: number group | number index offset + 1 (0: none), flag 32
 *               | extent, up to the end
 *   extent    = number gap before it, flag 16 | number length | number group | number group offset
 *               | number origin's group (0: none) | number origin's offset, unless 0, flag 64
 *   kind and flags: 0 directory, 1 closed file, 2 open file
 *               flags of files: 4 length is not the end of the last extent | 8 version is not 0
 *               | 16 gaps | 32 patches | 64 origins
 * </pre>
 *
 * A file of which all flags are 0 has the bytes of version 1, in which there were none.
 */
final class InodeForm {
    private static final int VERSION = 2;
    private static final int OLDEST = 1;

    private static final int KIND = 3;
    private static final int DIRECTORY = 0;
    private static final int CLOSED_FILE = 1;
    private static final int OPEN_FILE = 2;
    private static final int LENGTH = 4;
    private static final int CHANGED = 8;
    private static final int GAPS = 16;
    private static final int PATCHES = 32;
    private static final int ORIGINS = 64;
    private static final int FLAGS = LENGTH | CHANGED | GAPS | PATCHES | ORIGINS;

    /** In a row's mode: entries of an access control list follow. */
    private static final int LISTED = 010000;

    /** Their numbers in a row. */
    private static final List<AclEntry.Scope> SCOPES = List.of(AclEntry.Scope.ACCESS, AclEntry.Scope.DEFAULT);

    private static final List<AclEntry.Type> TYPES =
            List.of(AclEntry.Type.USER, AclEntry.Type.GROUP, AclEntry.Type.MASK, AclEntry.Type.OTHER);

    private InodeForm() {}

    static RowWriter write(Inode inode) {
        Attributes attributes = inode.attributes();
        RowWriter row = new RowWriter()
                .u8(VERSION)
                .number(inode.parent().map(InodeId::value).orElse(0L))
                .text(inode.name())
                .number(attributes.mode() | (attributes.acl().isEmpty() ? 0 : LISTED))
                .text(attributes.owner())
                .text(attributes.group())
                .number(attributes.modifiedMillis())
                .number(attributes.accessedMillis());
        if (!attributes.acl().isEmpty()) {
            row.list(
                    attributes.acl(),
                    (out, e) -> out.u8(SCOPES.indexOf(e.scope()) << 5 | TYPES.indexOf(e.type()) << 3 | e.bits())
                            .text(e.name()));
        }
        if (inode.body() instanceof Inode.File file) {
            write(row, file);
        } else {
            ((Inode.Directory) inode.body()).settings().write(row.u8(DIRECTORY));
        }
        return row;
    }

    private static void write(RowWriter row, Inode.File file) {
        int flags = flags(file);
        row.u8((file.open() ? OPEN_FILE : CLOSED_FILE) | flags)
                .text(file.policy().name());
        if ((flags & LENGTH) != 0) {
            row.number(file.length());
        }
        if ((flags & CHANGED) != 0) {
            row.number(file.version()).i64(file.nonce());
        }
        if ((flags & PATCHES) != 0) {
            row.list(
                    file.patches(),
                    (out, patch) -> out.number(patch.group().value())
                            .number(patch.indexOffset()
                                    .map(offset -> offset + 1)
                                    .orElse(0L)));
        }
        long end = 0;
        for (Extent extent : file.extents()) {
            if ((flags & GAPS) != 0) {
                row.number(extent.fileOffset() - end);
            }
            row.number(extent.length()).number(extent.group().value()).number(extent.groupOffset());
            if ((flags & ORIGINS) != 0) {
                row.number(extent.origin().map(o -> o.group().value()).orElse(0L));
                extent.origin().ifPresent(origin -> row.number(origin.offset()));
            }
            end = extent.fileEnd();
        }
    }

    private static int flags(Inode.File file) {
        long end = 0;
        int flags = 0;
        for (Extent extent : file.extents()) {
            flags |= extent.fileOffset() == end ? 0 : GAPS;
            flags |= extent.origin().isPresent() ? ORIGINS : 0;
            end = extent.fileEnd();
        }
        return flags
                | (file.length() == end ? 0 : LENGTH)
                | (file.version() == 0 ? 0 : CHANGED)
                | (file.patches().isEmpty() ? 0 : PATCHES);
    }

    static Inode read(InodeId id, byte[] bytes) {
        RowReader row = new RowReader(bytes);
        int version = row.version(OLDEST, VERSION, "inode");
        long parent = row.number();
        String name = row.text();
        Attributes attributes = attributes(row);
        int kind = row.u8();
        int flags = kind & ~KIND;
        if ((flags & ~FLAGS) != 0 || (kind & KIND) > OPEN_FILE || ((kind & KIND) == DIRECTORY && flags != 0)) {
            throw new LaterRelease("inode " + id + " has kind and flags " + kind + ", of which this release knows "
                    + FLAGS + " and kinds up to " + OPEN_FILE);
        }
        Inode.Body body = (kind & KIND) == DIRECTORY
                ? new Inode.Directory(version == OLDEST ? policyAlone(row) : DirectorySettings.read(row))
                : file((kind & KIND) == OPEN_FILE, flags, row);
        row.end();
        return new Inode(id, parent == 0 ? Optional.empty() : Optional.of(new InodeId(parent)), name, attributes, body);
    }

    private static Attributes attributes(RowReader row) {
        int mode = row.smallNumber();
        Attributes plain =
                new Attributes(mode & Attributes.MAX_MODE, row.text(), row.text(), row.number(), row.number());
        if ((mode & LISTED) == 0) {
            return plain;
        }
        List<AclEntry> entries = row.list(entry -> {
            int head = entry.u8();
            return new AclEntry(SCOPES.get(head >> 5), TYPES.get(head >> 3 & 3), entry.text(), head & 7);
        });
        return plain.with(new Acl.Stored(plain.mode(), entries));
    }

    private static DirectorySettings policyAlone(RowReader row) {
        String policy = row.text();
        return DirectorySettings.ofPolicy(policy.isEmpty() ? Optional.empty() : Optional.of(Policy.parse(policy)));
    }

    private static Inode.File file(boolean open, int flags, RowReader row) {
        Policy policy = Policy.parse(row.text());
        Optional<Long> length = (flags & LENGTH) == 0 ? Optional.empty() : Optional.of(row.number());
        long version = (flags & CHANGED) == 0 ? 0 : row.number();
        long nonce = (flags & CHANGED) == 0 ? 0 : row.i64();
        List<Inode.Patch> patches = (flags & PATCHES) == 0 ? List.of() : row.list(InodeForm::patch);
        List<Extent> extents = new ArrayList<>();
        long end = 0;
        while (row.more()) {
            long from = (flags & GAPS) == 0 ? end : Math.addExact(end, row.number());
            Extent extent = new Extent(
                    from,
                    row.number(),
                    new GroupId(row.number()),
                    row.number(),
                    (flags & ORIGINS) == 0 ? Optional.empty() : origin(row));
            end = extent.fileEnd();
            extents.add(extent);
        }
        return new Inode.File(policy, open, extents, length.orElse(end), version, nonce, patches);
    }

    private static Inode.Patch patch(RowReader row) {
        GroupId group = new GroupId(row.number());
        long offset = row.number();
        return new Inode.Patch(group, offset == 0 ? Optional.empty() : Optional.of(offset - 1));
    }

    private static Optional<Extent.Origin> origin(RowReader row) {
        long group = row.number();
        return group == 0 ? Optional.empty() : Optional.of(new Extent.Origin(new GroupId(group), row.number()));
    }
}
