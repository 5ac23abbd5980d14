package io.ecfs.namenode.store;

import java.nio.file.Path;

class MemoryStoreTest extends StoreContractTest {
    @Override
    KeyValueStore open(Path directory) {
        return new MemoryStore();
    }
}
