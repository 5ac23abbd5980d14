package io.ecfs.client.read;

import io.ecfs.client.read.Explanation.Fate;
import io.ecfs.message.chunk.ChunkLocation;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Records the outcome of each chunk of one span. Owned by the client's owner thread until the span is read. */
final class SpanTrace implements SpanWatch {
    /** @param micros until then */
    record Seen(Fate fate, long bytes, long micros) {}

    private final Map<Integer, Seen> seen = new TreeMap<>();
    private final Set<Integer> late = new HashSet<>();
    private boolean decoded;

    boolean decoded() {
        return decoded;
    }

    Seen of(int index) {
        return seen.getOrDefault(index, new Seen(Fate.NOT_ASKED, 0, 0));
    }

    @Override
    public void asked(ChunkLocation chunk, int bytes) {
        seen.put(chunk.chunk().index(), new Seen(Fate.NOT_ASKED, bytes, 0));
    }

    @Override
    public void answered(ChunkLocation chunk, long nanos) {
        note(chunk, late.contains(chunk.chunk().index()) ? Fate.ANSWERED_LATE : Fate.ANSWERED, nanos);
    }

    @Override
    public void late(ChunkLocation chunk) {
        late.add(chunk.chunk().index());
    }

    @Override
    public void failed(ChunkLocation chunk, long nanos) {
        note(chunk, Fate.FAILED, nanos);
    }

    @Override
    public void calledOff(ChunkLocation chunk, long nanos) {
        note(chunk, late.contains(chunk.chunk().index()) ? Fate.CALLED_OFF_LATE : Fate.CALLED_OFF, nanos);
    }

    @Override
    public void decoding() {
        decoded = true;
    }

    private void note(ChunkLocation chunk, Fate fate, long nanos) {
        int index = chunk.chunk().index();
        seen.put(index, new Seen(fate, of(index).bytes(), nanos / 1000));
    }
}
