package io.ecfs.bench.koh.run;

import io.ecfs.bench.koh.AccessPattern;
import io.ecfs.bench.koh.CephModel;
import io.ecfs.bench.koh.CephRules;
import io.ecfs.bench.koh.CephTraffic;
import io.ecfs.bench.koh.ImageState;
import io.ecfs.bench.koh.IoKind;
import io.ecfs.bench.koh.KohStage;
import io.ecfs.bench.koh.Request;
import io.ecfs.bench.koh.RequestStream;
import io.ecfs.bench.load.Latencies;
import io.ecfs.bench.part.Measured;
import io.ecfs.bench.part.TimedParts;
import io.ecfs.client.EcfsClient;
import io.ecfs.client.read.stream.FileReader;
import io.ecfs.client.update.UpdatableFile;
import io.ecfs.layout.Policy;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/** Runs stages of requests of one size. For one thread. */
final class RequestRun {
    private static final double NANOS = 1e9;

    private final KohCluster cluster;
    private final Images images;

    RequestRun(KohCluster cluster, Images images) {
        this.cluster = cluster;
        this.images = images;
    }

    /** A place for one request under way. */
    private static final class Slot {
        private final ByteBuffer target;
        private Request request = Request.metadata(0);

        Slot(int bytes) {
            target = ByteBuffer.allocate(bytes);
        }
    }

    /**
     * Runs a stage.
     *
     * @param seed of its positions
     * @param seconds that requests are begun; a write ends earlier when the file has no room for more
     */
    Outcome run(KohStage.Requests stage, int repetition, long seed, double seconds) throws Exception {
        return stage.series().kind() == IoKind.READ
                ? read(stage, repetition, seed, seconds)
                : write(stage, repetition, seed, seconds);
    }

    private Outcome read(KohStage.Requests stage, int repetition, long seed, double seconds) throws Exception {
        EcfsClient client = cluster.client(stage.kernel());
        Image image = images.read(stage.policy(), stage.state());
        FileReader reader = Await.result(client.open(image.path()));
        Load load = new Load(stage, seed) {
            @Override
            CompletableFuture<?> begin(Slot slot, Request request) {
                return reader.readLater(request.position(), slot.target.clear().limit(request.bytes()));
            }

            @Override
            void check(Slot slot, Object result) throws IOException {
                image.check(slot.request.position(), slot.target.array(), slot.request.bytes(), (Integer) result);
            }
        };
        return outcome(stage, repetition, seed, client, () -> load.run(seconds, Long.MAX_VALUE));
    }

    private Outcome write(KohStage.Requests stage, int repetition, long seed, double seconds) throws Exception {
        EcfsClient client = cluster.client(stage.kernel());
        boolean pristine = stage.state() == ImageState.PRISTINE;
        Policy policy = stage.policy();
        Image image = pristine ? images.pristine(policy) : images.overwritten(policy);
        UpdateSetting updates = cluster.setting().updates();
        long most = pristine ? images.fileBytes() : images.most(image);
        UpdatableFile file =
                Await.result(client.update(image.path(), updates.options().create(pristine)));
        Load load = new Load(stage, seed) {
            @Override
            CompletableFuture<?> begin(Slot slot, Request request) {
                return file.write(request.position(), image.expected().write(request.position(), request.bytes()));
            }

            @Override
            void check(Slot slot, Object result) {
                image.wrote(slot.request.bytes());
            }
        };
        Outcome outcome = outcome(stage, repetition, seed, client, () -> {
            try (file) {
                return load.run(seconds, most);
            }
        });
        if (pristine) {
            images.drop(image);
        }
        return outcome;
    }

    private Outcome outcome(
            KohStage.Requests stage, int repetition, long seed, EcfsClient client, TimedParts.Part<Ran> part)
            throws Exception {
        Optional<VolumeTraffic> before = cluster.volumes();
        Measured<Ran> measured = cluster.setting().quiet()
                ? cluster.parts().measure(client, 0, part)
                : cluster.parts().measureNow(client, part);
        Optional<VolumeTraffic> volumes = cluster.volumes().map(now -> now.since(before.orElseThrow()));
        return Outcome.of(
                stage,
                repetition,
                measured,
                volumes,
                rules(stage, seed, measured.result().requests()));
    }

    /** Bytes by the rules of Ceph for the very same requests. */
    private CephTraffic rules(KohStage.Requests stage, long seed, long count) {
        CephModel model = new CephModel(CephRules.PAPER, stage.policy(), stage.state());
        Request.each(
                stage.series().pattern(),
                stage.series().kind(),
                stage.bytes(),
                images.fileBytes(),
                count,
                seed,
                model::apply);
        return model.traffic();
    }

    /** The requests of one stage. */
    private abstract class Load implements RequestLoop.Requests<Slot> {
        private final KohStage.Requests stage;
        private final RequestStream stream;
        private final Latencies latencies = new Latencies(1);
        private TimeSeries series = new TimeSeries(0);
        private long begunBytes;
        private long requests;
        private long bytes;

        Load(KohStage.Requests stage, long seed) {
            AccessPattern pattern = stage.series().pattern();
            this.stage = stage;
            this.stream = new RequestStream(pattern, stage.series().kind(), stage.bytes(), images.fileBytes(), seed);
        }

        abstract CompletableFuture<?> begin(Slot slot, Request request);

        abstract void check(Slot slot, Object result) throws IOException;

        Ran run(double seconds, long mostBytes) throws Exception {
            int targetBytes = stage.series().kind() == IoKind.READ ? stage.bytes() : 0;
            List<Slot> slots = Stream.generate(() -> new Slot(targetBytes))
                    .limit(stage.depth())
                    .toList();
            long begin = System.nanoTime();
            series = new TimeSeries(begin);
            long end = begin + (long) (seconds * NANOS);
            new RequestLoop<>(this)
                    .run(slots, () -> System.nanoTime() < end && begunBytes + stage.bytes() <= mostBytes);
            return new Ran(latencies, series, requests, bytes, (System.nanoTime() - begin) / NANOS, 0, 0);
        }

        @Override
        public long due(Slot slot) {
            return Long.MIN_VALUE;
        }

        @Override
        public CompletableFuture<?> begin(Slot slot) {
            slot.request = stream.next();
            begunBytes += slot.request.bytes();
            return begin(slot, slot.request);
        }

        @Override
        public void ended(Slot slot, Object result, long begun, long ended) throws IOException {
            check(slot, result);
            latencies.record(0, ended - begun);
            series.add(ended, slot.request.bytes());
            requests++;
            bytes += slot.request.bytes();
        }
    }
}
