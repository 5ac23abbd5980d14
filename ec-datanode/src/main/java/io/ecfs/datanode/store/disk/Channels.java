package io.ecfs.datanode.store.disk;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.OpenOption;
import java.nio.file.Path;

/** Opens files and directories; a wrapper can observe their use. */
@FunctionalInterface
interface Channels {
    FileChannel open(Path path, OpenOption... options) throws IOException;
}
