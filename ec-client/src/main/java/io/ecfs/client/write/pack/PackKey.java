package io.ecfs.client.write.pack;

import io.ecfs.layout.Policy;
import io.ecfs.message.namespace.FileStatus;

/** Files of one pack have this in common: a degraded read of one decodes cells of its neighbours. */
record PackKey(Policy policy, String owner, String group, int mode) {
    static PackKey of(FileStatus file) {
        return new PackKey(file.policy(), file.owner(), file.group(), file.mode());
    }
}
