package io.ecfs.client.write.pack;

import io.ecfs.message.namespace.FileStatus;
import io.ecfs.stripe.Stripe;
import java.util.concurrent.CompletableFuture;

/**
 * A file that waits to be packed.
 *
 * @param stripe its bytes
 * @param sync whether they must be on the datanodes' disks
 * @param closed true: it is closed; false: it was not packed
 */
record SmallFile(FileStatus status, Stripe stripe, boolean sync, CompletableFuture<Boolean> closed) {
    long bytes() {
        return stripe.bytes();
    }
}
