package io.ecfs.namenode.form;

import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.InodeId;
import io.ecfs.layout.Policy;
import io.ecfs.message.Address;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.FilePath;
import io.ecfs.message.VolumeId;
import io.ecfs.namenode.row.RowReader;
import io.ecfs.namenode.row.RowWriter;

/** Reads and writes the ids and small values that many records have in common. */
public final class Fields {
    private Fields() {}

    public static void group(RowWriter out, GroupId group) {
        out.number(group.value());
    }

    public static GroupId group(RowReader in) {
        return new GroupId(in.number());
    }

    public static void inode(RowWriter out, InodeId inode) {
        out.number(inode.value());
    }

    public static InodeId inode(RowReader in) {
        return new InodeId(in.number());
    }

    public static void volume(RowWriter out, VolumeId volume) {
        out.number(volume.value());
    }

    public static VolumeId volume(RowReader in) {
        return new VolumeId(in.smallNumber());
    }

    public static void chunk(RowWriter out, ChunkId chunk) {
        out.number(chunk.group().value()).u8(chunk.index()).number(chunk.generation());
    }

    public static ChunkId chunk(RowReader in) {
        return new ChunkId(group(in), in.u8(), in.smallNumber());
    }

    public static void datanode(RowWriter out, DatanodeId datanode) {
        out.text(datanode.name());
    }

    public static DatanodeId datanode(RowReader in) {
        return new DatanodeId(in.text());
    }

    public static void address(RowWriter out, Address address) {
        out.text(address.host()).number(address.port());
    }

    public static Address address(RowReader in) {
        return new Address(in.text(), in.smallNumber());
    }

    public static void path(RowWriter out, FilePath path) {
        out.text(path.text());
    }

    public static FilePath path(RowReader in) {
        return new FilePath(in.text());
    }

    public static void policy(RowWriter out, Policy policy) {
        out.text(policy.name());
    }

    public static Policy policy(RowReader in) {
        return Policy.parse(in.text());
    }
}
