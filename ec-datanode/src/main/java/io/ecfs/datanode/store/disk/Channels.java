package io.ecfs.datanode.store.disk;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.OpenOption;
import java.nio.file.Path;

/** How files and directories are opened: for those who want to see what is done with them. */
@FunctionalInterface
interface Channels {
    FileChannel open(Path path, OpenOption... options) throws IOException;
}
