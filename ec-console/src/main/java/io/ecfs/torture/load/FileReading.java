package io.ecfs.torture.load;

import io.ecfs.client.EcfsClient;
import io.ecfs.client.read.batch.FileRange;
import io.ecfs.client.read.batch.RangeResult;
import io.ecfs.client.read.stream.EcfsInputStream;
import io.ecfs.client.read.stream.FileReader;
import io.ecfs.error.EcfsException;
import io.ecfs.message.FilePath;
import io.ecfs.torture.history.Answer;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/** The client's ways to read a file, each as an answer. */
enum FileReading {
    POSITIONED {
        @Override
        Answer read(FileReader file, SplittableRandom random) throws IOException {
            ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(file.length()));
            while (bytes.hasRemaining()) {
                int most = 1 + random.nextInt(bytes.remaining());
                ByteBuffer part = bytes.slice(bytes.position(), most);
                int read = file.read(bytes.position(), part);
                if (read <= 0) {
                    break;
                }
                bytes.position(bytes.position() + read);
            }
            return answer(bytes, file);
        }
    },
    STREAMED {
        @Override
        Answer read(FileReader file, SplittableRandom random) throws IOException {
            ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(file.length()));
            try (EcfsInputStream stream = file.stream()) {
                while (bytes.hasRemaining() && stream.read(bytes) > 0) {
                    // until the file or the memory for it ends
                }
            }
            return answer(bytes, file);
        }
    },
    TOGETHER {
        @Override
        Answer read(FileReader file, SplittableRandom random) {
            throw new UnsupportedOperationException("a joint read opens its files itself");
        }

        @Override
        public Answer read(EcfsClient client, FilePath path, SplittableRandom random) throws IOException {
            RangeResult result =
                    Await.result(client.readAll(List.of(FileRange.whole(path)))).get(0);
            if (result instanceof RangeResult.Failed failed) {
                return failure(failed.failure());
            }
            ByteBuffer read = ((RangeResult.Read) result).bytes();
            byte[] bytes = new byte[read.limit()];
            read.get(0, bytes);
            return content(bytes, Answer.Access.EITHER);
        }
    };

    private static final List<FileReading> ALL = List.of(values());

    /** One of them, by chance. */
    static FileReading any(SplittableRandom random) {
        return ALL.get(random.nextInt(ALL.size()));
    }

    /** As a history names it. */
    String how() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The whole of a file as it is now; refused only by the namenode, since a file may change while it is read. */
    public Answer read(EcfsClient client, FilePath path, SplittableRandom random) throws IOException {
        FileReader file = Await.result(client.open(path));
        try {
            return read(file, random);
        } catch (EcfsException e) {
            return failure(e);
        }
    }

    abstract Answer read(FileReader file, SplittableRandom random) throws IOException;

    private static Answer failure(EcfsException e) {
        return new Answer.Unknown(e.code() + ": " + e.getMessage());
    }

    private static Answer answer(ByteBuffer bytes, FileReader file) {
        if (bytes.hasRemaining()) {
            return new Answer.Wrong("the file ended after " + bytes.position() + " of " + file.length() + " bytes");
        }
        byte[] read = new byte[bytes.capacity()];
        bytes.get(0, read);
        return content(read, file.status().open() ? Answer.Access.OPEN : Answer.Access.CLOSED);
    }

    private static Answer content(byte[] bytes, Answer.Access access) {
        return TaggedBytes.runs(bytes)
                .<Answer>map(runs -> new Answer.Content(runs, access))
                .orElseGet(() -> new Answer.Wrong(TaggedBytes.describe(bytes)));
    }
}
