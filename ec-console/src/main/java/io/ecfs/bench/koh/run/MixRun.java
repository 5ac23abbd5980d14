package io.ecfs.bench.koh.run;

import io.ecfs.bench.koh.CephModel;
import io.ecfs.bench.koh.CephRules;
import io.ecfs.bench.koh.CephTraffic;
import io.ecfs.bench.koh.ImageState;
import io.ecfs.bench.koh.IoKind;
import io.ecfs.bench.koh.KohStage;
import io.ecfs.bench.koh.Mix;
import io.ecfs.bench.koh.Request;
import io.ecfs.bench.load.Latencies;
import io.ecfs.bench.part.Measured;
import io.ecfs.bench.part.TimedParts;
import io.ecfs.client.CreateOptions;
import io.ecfs.client.EcfsClient;
import io.ecfs.client.update.UpdatableFile;
import io.ecfs.client.write.EcfsOutputStream;
import io.ecfs.error.EcfsException;
import io.ecfs.message.FilePath;
import io.ecfs.wire.Await;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/**
 * Runs mixes: processes that each have one request under way, on files that are open for update. A process of a
 * component with a rate waits until its next block is due. For one thread.
 */
final class MixRun {
    /** Files of a set; the processes share them. */
    static final int FILES = 10;

    private static final double NANOS = 1e9;
    private static final int LISTED = 100;
    private static final int KINDS_OF_METADATA = 4;

    private final KohCluster cluster;
    private final Images images;
    private final long fileBytes;

    /** @param fileBytes of one file */
    MixRun(KohCluster cluster, Images images, long fileBytes) {
        this.cluster = cluster;
        this.images = images;
        this.fileBytes = fileBytes;
    }

    /** Bytes of one file of a set of so many bytes, a multiple of the largest block of all mixes. */
    static long fileBytes(long setBytes, List<Mix> mixes) {
        long largest = mixes.stream().mapToLong(Mix::mostBytes).max().orElse(1);
        return setBytes / FILES / largest * largest;
    }

    Outcome run(KohStage.MixRun stage, int repetition, long seed, double seconds) throws Exception {
        EcfsClient client = cluster.client();
        List<Image> set = images.set(stage.policy(), FILES, fileBytes);
        List<UpdatableFile> files = new ArrayList<>();
        for (Image image : set) {
            files.add(Await.result(
                    client.update(image.path(), cluster.setting().updates().options())));
        }
        FilePath scratch = new FilePath(cluster.directory(stage.policy()).text() + "/metadata");
        Await.result(client.mkdirs(scratch, 0755, true));
        List<MixProcess> processes = MixProcess.of(stage.mix(), stage.processes(), FILES, fileBytes, seed);
        Load load = new Load(client, set, files, scratch, processes);
        TimedParts.Part<Ran> part = () -> {
            try {
                return load.run(seconds);
            } finally {
                for (UpdatableFile file : files) {
                    file.close();
                }
            }
        };
        Optional<VolumeTraffic> before = cluster.volumes();
        Measured<Ran> measured = cluster.setting().quiet()
                ? cluster.parts().measure(client, 0, part)
                : cluster.parts().measureNow(client, part);
        Optional<VolumeTraffic> volumes = cluster.volumes().map(now -> now.since(before.orElseThrow()));
        Await.result(client.delete(scratch, true));
        return Outcome.of(stage, repetition, measured, volumes, rules(stage, processes, seed));
    }

    /** Bytes by the rules of Ceph for the requests of each process; their order among processes is another. */
    private CephTraffic rules(KohStage.MixRun stage, List<MixProcess> ran, long seed) {
        CephModel model = new CephModel(CephRules.PAPER, stage.policy(), ImageState.OVERWRITE);
        List<MixProcess> again = MixProcess.of(stage.mix(), stage.processes(), FILES, fileBytes, seed);
        long most = ran.stream().mapToLong(MixProcess::drawn).max().orElse(0);
        for (long turn = 0; turn < most; turn++) {
            for (int i = 0; i < again.size(); i++) {
                if (turn < ran.get(i).drawn()) {
                    model.apply(again.get(i).next());
                }
            }
        }
        return model.traffic();
    }

    /** One run of all processes. */
    private static final class Load implements RequestLoop.Requests<MixProcess> {
        private final EcfsClient client;
        private final List<Image> set;
        private final List<UpdatableFile> files;
        private final FilePath scratch;
        private final List<MixProcess> processes;
        private final long[] metadata;
        private final Latencies latencies = new Latencies(1);
        private TimeSeries series = new TimeSeries(0);
        private long written;
        private long requests;
        private long bytes;
        private long uncompared;

        Load(
                EcfsClient client,
                List<Image> set,
                List<UpdatableFile> files,
                FilePath scratch,
                List<MixProcess> processes) {
            this.client = client;
            this.set = set;
            this.files = files;
            this.scratch = scratch;
            this.processes = processes;
            this.metadata = new long[processes.size()];
        }

        Ran run(double seconds) throws Exception {
            long most = IntStream.range(0, set.size())
                            .mapToLong(
                                    i -> Images.PASSES * set.get(i).expected().length())
                            .sum()
                    - set.stream().mapToLong(Image::written).sum();
            long begin = System.nanoTime();
            long end = begin + (long) (seconds * NANOS);
            series = new TimeSeries(begin);
            // Streams do not all begin in the same moment.
            processes.forEach(process -> process.firstDue(begin
                    + process.component()
                                    .interval(process.component().mainBytes())
                                    .toNanos()
                            * process.number()
                            / processes.size()));
            new RequestLoop<>(this).run(processes, () -> System.nanoTime() < end && written < most);
            long late = processes.stream().filter(MixProcess::late).count();
            return new Ran(latencies, series, requests, bytes, (System.nanoTime() - begin) / NANOS, late, uncompared);
        }

        @Override
        public long due(MixProcess process) {
            return process.due();
        }

        @Override
        public CompletableFuture<?> begin(MixProcess process) {
            process.begun(System.nanoTime());
            Request request = process.next();
            return switch (request.kind()) {
                case READ -> read(process, request);
                case WRITE -> write(process, request);
                case METADATA -> metadata(process, request);
            };
        }

        private CompletableFuture<?> read(MixProcess process, Request request) {
            if (processes.stream().anyMatch(other -> process.meets(other, IoKind.WRITE))) {
                process.disturb();
            }
            return files.get(request.file()).read(request.position(), process.target());
        }

        private CompletableFuture<?> write(MixProcess process, Request request) {
            processes.stream()
                    .filter(other -> process.meets(other, IoKind.READ))
                    .forEach(MixProcess::disturb);
            Image image = set.get(request.file());
            written += request.bytes();
            image.wrote(request.bytes());
            ByteBuffer data = image.expected().write(request.position(), request.bytes());
            return files.get(request.file()).write(request.position(), data);
        }

        /** Status, list, create and delete, in turn. */
        private CompletableFuture<?> metadata(MixProcess process, Request request) {
            FilePath own = new FilePath(scratch.text() + "/" + process.number());
            return switch ((int) (metadata[process.number()]++ % KINDS_OF_METADATA)) {
                case 0 -> client.status(set.get(request.file()).path());
                case 1 -> client.list(scratch, "", LISTED);
                case 2 -> client.create(own, CreateOptions.defaults()).thenCompose(EcfsOutputStream::closeLater);
                default -> client.delete(own, false);
            };
        }

        @Override
        public void ended(MixProcess process, Object result, long begun, long ended) throws EcfsException {
            Request request = process.request();
            if (request.kind() == IoKind.READ) {
                check(process, request, (Integer) result);
            }
            process.ended();
            latencies.record(0, ended - begun);
            series.add(ended, request.bytes());
            requests++;
            bytes += request.bytes();
        }

        private void check(MixProcess process, Request request, int read) throws EcfsException {
            if (process.disturbed()) {
                uncompared++;
            } else {
                set.get(request.file())
                        .check(request.position(), process.target().array(), request.bytes(), read);
            }
        }
    }
}
