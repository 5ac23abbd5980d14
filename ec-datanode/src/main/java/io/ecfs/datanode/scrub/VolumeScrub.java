package io.ecfs.datanode.scrub;

import io.ecfs.datanode.store.Volume;
import io.ecfs.datanode.store.queue.VolumeQueue;
import io.ecfs.env.Clock;
import io.ecfs.env.Scheduler;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.ChunkId;
import io.ecfs.message.VolumeState;
import io.ecfs.message.chunk.ChunkRecord;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Scrub of one volume: chunk by chunk in their order, slice by slice, each followed by the pause that limits the rate;
 * after the last chunk a new round begins. Owner thread: the scheduler.
 */
final class VolumeScrub {
    private static final Logger LOG = LoggerFactory.getLogger(VolumeScrub.class);
    private static final String NOTE = "SCRUB";
    private static final Duration AGAIN = Duration.ofSeconds(5);

    /** Least cost of a chunk: its header, and a seek. */
    private static final int LEAST_BYTES = 4096;

    private final Volume volume;
    private final VolumeQueue queue;
    private final Scheduler scheduler;
    private final Clock clock;
    private final ScrubSettings settings;
    private final Consumer<ChunkRecord> corrupt;
    private final LongAdder bytes = new LongAdder();
    private final LongAdder rounds = new LongAdder();
    private final LongAdder found = new LongAdder();
    private ScrubPlace place;
    private long notedAt;

    VolumeScrub(
            Volume volume,
            VolumeQueue queue,
            Scheduler scheduler,
            Clock clock,
            ScrubSettings settings,
            Consumer<ChunkRecord> corrupt) {
        this.volume = volume;
        this.queue = queue;
        this.scheduler = scheduler;
        this.clock = clock;
        this.settings = settings;
        this.corrupt = corrupt;
        this.place = ScrubPlace.first(clock.epochMillis());
        this.notedAt = clock.nanos();
    }

    String volume() {
        return volume.uuid();
    }

    ScrubCounts counts() {
        return new ScrubCounts(bytes.sum(), rounds.sum(), found.sum());
    }

    /** Resumes where the last process stopped. */
    void start() {
        then(queue.submit(() -> volume.note(NOTE)), note -> {
            place = note.map(this::read).orElse(place);
            goOn();
        });
    }

    private ScrubPlace read(Map<String, String> note) {
        try {
            return ScrubPlace.of(note);
        } catch (IllegalArgumentException e) {
            LOG.warn("event=scrub_note_unreadable volume={} note={}", volume.path(), note);
            return place;
        }
    }

    /** Continues at once within a round, otherwise when the next one is due; never later than {@code every}. */
    private void goOn() {
        long wait =
                Math.min(place.began() - clock.epochMillis(), settings.every().toMillis());
        scheduler.schedule(Duration.ofMillis(Math.max(0, wait)), this::next);
    }

    private void next() {
        List<ChunkRecord> chunks = volume.records(place.after(), 1);
        if (!chunks.isEmpty()) {
            scan(chunks.get(0).chunk(), 0);
            return;
        }
        rounds.increment();
        long now = clock.epochMillis();
        LOG.info(
                "event=scrub_round_done volume={} round={} millis={}",
                volume.path(),
                place.round(),
                now - place.began());
        place = place.nextRound(Math.max(now, place.began() + settings.every().toMillis()));
        note(this::goOn);
    }

    private void scan(ChunkId chunk, long from) {
        then(queue.submit(chunk, () -> volume.scan(chunk, from, settings.sliceBytes())), slice -> {
            bytes.add(slice.to() - from);
            if (!slice.sound()) {
                found.increment();
                LOG.error("event=scrub_found_corrupt volume={} chunk={}", volume.path(), chunk);
                volume.find(chunk).ifPresent(corrupt);
            }
            Duration pause = pauseAfter(slice.to() - from);
            if (!slice.last()) {
                scheduler.schedule(pause, () -> scan(chunk, slice.to()));
                return;
            }
            place = place.behind(chunk);
            if (clock.nanos() - notedAt >= settings.noteEvery().toNanos()) {
                note(() -> scheduler.schedule(pause, this::next));
            } else {
                scheduler.schedule(pause, this::next);
            }
        });
    }

    private Duration pauseAfter(long read) {
        double seconds = Math.max(read, LEAST_BYTES) / (double) settings.bytesPerSecond();
        return Duration.ofNanos((long) (seconds * 1e9));
    }

    /** Stores the position, then continues: two concurrent writes would replace each other's temporary file. */
    private void note(Runnable then) {
        notedAt = clock.nanos();
        Map<String, String> values = place.values();
        queue.submit(() -> {
                    volume.note(NOTE, values);
                    return values;
                })
                .whenComplete((noted, failure) -> scheduler.execute(then));
    }

    private interface Step<T> {
        void take(T result);
    }

    /** Continues with the result on the owner thread; after a failure a little later, unless the volume has failed. */
    private <T> void then(CompletableFuture<T> work, Step<T> step) {
        work.whenComplete((result, failure) -> scheduler.execute(() -> {
            if (failure == null) {
                step.take(result);
            } else if (volume.state() == VolumeState.FAILED) {
                LOG.warn("event=scrub_stopped volume={} reason=volume_failed", volume.path());
            } else {
                if (EcfsException.of(failure).code() != ErrorCode.BUSY) {
                    LOG.warn(
                            "event=scrub_waits volume={} error=\"{}\"",
                            volume.path(),
                            EcfsException.of(failure).getMessage());
                }
                scheduler.schedule(AGAIN, this::next);
            }
        }));
    }
}
