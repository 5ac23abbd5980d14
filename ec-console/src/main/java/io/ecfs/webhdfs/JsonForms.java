package io.ecfs.webhdfs;

import io.ecfs.hadoop.EcfsFileStatus;
import io.ecfs.message.Address;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FileStatus;

/** JSON forms of statuses and locations (HDFS: JsonUtil). */
final class JsonForms {
    private JsonForms() {}

    /** @param suffix name of an entry of a listed directory; otherwise empty */
    static Map<String, Object> status(FileStatus status, String suffix) {
        io.ecfs.message.namespace.FileStatus ours = ((EcfsFileStatus) status).ours();
        Map<String, Object> form = new TreeMap<>();
        form.put("accessTime", status.getAccessTime());
        form.put("blockSize", status.getBlockSize());
        form.put("childrenNum", 0);
        form.put("fileId", ours.inode().value());
        form.put("group", status.getGroup());
        form.put("length", status.getLen());
        form.put("modificationTime", status.getModificationTime());
        form.put("owner", status.getOwner());
        form.put("pathSuffix", suffix);
        form.put("permission", Integer.toOctalString(status.getPermission().toShort()));
        form.put("replication", (int) status.getReplication());
        form.put("storagePolicy", 0);
        form.put("type", status.isDirectory() ? "DIRECTORY" : "FILE");
        form.put("ecPolicy", ours.policy().name());
        if (status.hasAcl()) {
            form.put("aclBit", true);
        }
        if (status.isErasureCoded()) {
            form.put("ecBit", true);
        }
        return form;
    }

    static Map<String, Object> location(BlockLocation block) {
        try {
            Map<String, Object> form = new TreeMap<>();
            form.put("cachedHosts", block.getCachedHosts());
            form.put("corrupt", block.isCorrupt());
            form.put("hosts", block.getHosts());
            form.put("length", block.getLength());
            form.put("names", block.getNames());
            form.put("offset", block.getOffset());
            form.put("storageTypes", new String[] {});
            form.put("topologyPaths", block.getTopologyPaths());
            return form;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * The locations as those of HDFS's blocks. Their ids are the offsets: no client can read such a block from a
     * datanode by HDFS's protocol.
     */
    static Map<String, Object> locatedBlocks(long fileLength, BlockLocation[] locations) {
        List<Map<String, Object>> blocks =
                Arrays.stream(locations).map(JsonForms::locatedBlock).toList();
        Map<String, Object> form = new TreeMap<>();
        form.put("fileLength", fileLength);
        form.put("isLastBlockComplete", true);
        form.put("isUnderConstruction", false);
        form.put("lastLocatedBlock", blocks.isEmpty() ? null : blocks.get(blocks.size() - 1));
        form.put("locatedBlocks", blocks);
        return form;
    }

    private static Map<String, Object> locatedBlock(BlockLocation location) {
        try {
            List<Map<String, Object>> datanodes = new ArrayList<>();
            String[] racks = location.getTopologyPaths();
            String[] names = location.getNames();
            for (int i = 0; i < names.length; i++) {
                datanodes.add(datanode(Address.parse(names[i]), racks[i]));
            }
            return new TreeMap<>(Map.of(
                    "block",
                    Map.of(
                            "blockId",
                            location.getOffset(),
                            "blockPoolId",
                            "ecfs",
                            "generationStamp",
                            0,
                            "numBytes",
                            location.getLength()),
                    "blockToken",
                    Map.of("urlString", "AAAAAA"), // no identifier, password, kind and service
                    "cachedLocations",
                    List.of(),
                    "isCorrupt",
                    location.isCorrupt(),
                    "locations",
                    datanodes,
                    "startOffset",
                    location.getOffset(),
                    "storageTypes",
                    List.of()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Map<String, Object> datanode(Address address, String topology) {
        Map<String, Object> form = new TreeMap<>();
        form.put("adminState", "NORMAL");
        form.put("hostName", address.host());
        form.put("infoPort", 0);
        form.put("ipAddr", address.host());
        form.put("ipcPort", 0);
        form.put("name", address.toString());
        form.put("networkLocation", topology.substring(0, topology.lastIndexOf('/')));
        form.put("storageID", address.toString().toLowerCase(Locale.ROOT));
        form.put("xferPort", address.port());
        return form;
    }
}
