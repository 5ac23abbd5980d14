package io.ecfs.torture;

import io.ecfs.client.CreateOptions;
import io.ecfs.client.EcfsClient;
import io.ecfs.client.read.stream.FileReader;
import io.ecfs.client.write.EcfsOutputStream;
import io.ecfs.error.EcfsException;
import io.ecfs.layout.Policy;
import io.ecfs.message.FilePath;
import io.ecfs.torture.load.TaggedBytes;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

/**
 * Writes a stripe and a half to a new file, syncs and closes it, reads it back and deletes it: a cluster that only
 * answers, and takes no bytes any more, does not pass.
 *
 * @param client reads over the network
 * @param policy that new files have
 */
public record WriteProof(EcfsClient client, FilePath path, Policy policy) {
    private static final long TAG = 0;

    /** @return what is wrong; empty when the file was as it was written */
    public List<String> run() throws IOException {
        byte[] bytes = TaggedBytes.of(TAG, 0, policy.stripeBytes() * 3 / 2);
        try {
            try (EcfsOutputStream out = Await.result(client.create(path, CreateOptions.defaults()))) {
                out.write(bytes);
                out.hsync();
            }
            FileReader file = Await.result(client.open(path));
            ByteBuffer read = ByteBuffer.allocate(Math.toIntExact(file.length()));
            file.read(0, read);
            Await.result(client.delete(path, false));
            return Arrays.equals(bytes, read.array())
                    ? List.of()
                    : List.of("a file of " + bytes.length + " bytes was read back as "
                            + TaggedBytes.describe(read.array()));
        } catch (EcfsException e) {
            return List.of("no file can be written and read back any more: " + e.code() + ": " + e.getMessage());
        }
    }
}
