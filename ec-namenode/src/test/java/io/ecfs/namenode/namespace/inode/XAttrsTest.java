package io.ecfs.namenode.namespace.inode;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.layout.InodeId;
import io.ecfs.message.namespace.XAttr;
import io.ecfs.namenode.cluster.Counter;
import io.ecfs.namenode.namespace.NamespaceRows;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class XAttrsTest {
    /** Neighbours in the order of keys, too. */
    private static final List<Long> INODES = List.of(1L, 2L, 255L, 256L, 257L, 65536L);

    private final NamespaceRows rows = new NamespaceRows();

    @AfterEach
    void close() {
        rows.close();
    }

    private List<XAttr> all(long inode) {
        return XAttrs.all(rows.transaction, new InodeId(inode));
    }

    @Test
    void attributesAreThoseOfASortedMapPerInode() {
        Random random = new Random(2);
        Map<Long, TreeMap<String, XAttr>> naive = new TreeMap<>();
        INODES.forEach(inode -> naive.put(inode, new TreeMap<>()));
        for (int step = 0; step < 300; step++) {
            long inode = INODES.get(random.nextInt(INODES.size()));
            TreeMap<String, XAttr> mine = naive.get(inode);
            String name = "user." + (char) ('a' + random.nextInt(4)) + "b".repeat(random.nextInt(2));
            if (mine.containsKey(name) && random.nextBoolean()) {
                XAttrs.delete(rows.transaction, new InodeId(inode), name);
                mine.remove(name);
            } else {
                byte[] value = new byte[random.nextInt(3)];
                random.nextBytes(value);
                mine.put(name, new XAttr(name, value));
                XAttrs.put(rows.transaction, new InodeId(inode), mine.get(name));
            }
            for (long each : INODES) {
                assertThat(all(each)).containsExactlyElementsOf(naive.get(each).values());
            }
            assertThat(Counter.XATTRS.of(rows.transaction))
                    .isEqualTo(naive.values().stream().mapToInt(Map::size).sum());
        }
    }

    @Test
    void deletingAllLeavesTheAttributesOfOtherInodes() {
        for (long inode : INODES) {
            XAttrs.put(rows.transaction, new InodeId(inode), new XAttr("user.a", new byte[] {1}));
            XAttrs.put(rows.transaction, new InodeId(inode), new XAttr("user.b", new byte[] {2}));
        }
        XAttrs.deleteAll(rows.transaction, new InodeId(256));
        for (long inode : INODES) {
            assertThat(all(inode)).hasSize(inode == 256 ? 0 : 2);
        }
        assertThat(Counter.XATTRS.of(rows.transaction)).isEqualTo(2L * (INODES.size() - 1));
    }

    @Test
    void anAttributeIsFoundByItsWholeName() {
        XAttr attribute = new XAttr("user.colour", new byte[0]);
        XAttrs.put(rows.transaction, InodeId.ROOT, attribute);
        assertThat(XAttrs.find(rows.transaction, InodeId.ROOT, "user.colour")).contains(attribute);
        assertThat(XAttrs.find(rows.transaction, InodeId.ROOT, "user.colou")).isEmpty();
        assertThat(XAttrs.find(rows.transaction, InodeId.ROOT, "user.colour2")).isEmpty();
    }

    @Test
    void deletingAnInodeDeletesItsAttributes() {
        Inode file = rows.file(rows.root, "f");
        XAttrs.put(rows.transaction, file.id(), new XAttr("user.a", new byte[] {1}));
        Inodes.delete(rows.transaction, file.id());
        assertThat(XAttrs.all(rows.transaction, file.id())).isEmpty();
        assertThat(Counter.XATTRS.of(rows.transaction)).isZero();
    }
}
