package io.ecfs.bench;

import io.ecfs.bench.report.Figure;
import io.ecfs.bench.system.Target;
import io.ecfs.client.ClusterUri;
import io.ecfs.client.EcfsClient;
import io.ecfs.client.Identity;
import io.ecfs.client.base.ClientConfig;
import io.ecfs.code.kernel.Kernels;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.Policy;
import io.ecfs.message.FilePath;
import io.ecfs.message.report.ClusterReport;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Runs a plan on a cluster: workload after workload, and within each repetition policy after policy. */
public final class Bench {
    private final BenchPlan plan;
    private final Target target;
    private final ClientConfig config;

    public Bench(BenchPlan plan, Target target, ClientConfig config) {
        this.plan = plan;
        this.target = target;
        this.config = config;
    }

    /** Notified of the progress of the run. */
    public interface Progress {
        /** @param share of the repetitions that are done, from 0 to 1 */
        void at(double share, String doing);
    }

    /**
     * Runs everything, and removes its files from the cluster, also after a failure.
     *
     * @param figures notified of each figure when it is measured
     * @throws EcfsException {@code INVALID_ARGUMENT} when the cluster is too small for a policy
     */
    public void run(Consumer<Figure> figures, Progress progress) throws Exception {
        try (EcfsClient client =
                EcfsClient.connect(ClusterUri.resolve(target.uri()), config, Identity.ofThisProcess())) {
            ClusterReport report = Await.result(client.admin().report());
            requireDatanodes(report);
            FilePath base =
                    new FilePath("/ecfs-bench-" + ProcessHandle.current().pid());
            Steps steps = new Steps(
                    (long) plan.workloads().size() * plan.policies().size() * (plan.repetitions() + 1), progress);
            try (Stage stage = new Stage(plan, target, client, config, base, setting(report), figures, steps::doing)) {
                for (WorkloadKind kind : plan.workloads()) {
                    run(workload(kind), stage, steps);
                }
            } catch (Exception e) {
                remove(client, base, e);
                throw e;
            }
            Await.result(client.delete(base, true));
        }
    }

    private static Workload workload(WorkloadKind kind) {
        return switch (kind) {
            case SEQWRITE -> new SequentialWrite();
            case SEQREAD -> new SequentialRead();
            case PREAD -> new PositionalRead();
            case DEGRADED -> new DegradedRead();
            case RECOVERY -> new RecoveryWorkload();
            case DRAIN -> new DrainUnderLoad();
            case SLOW -> new SlowDatanode();
            case SMALL -> new SmallFiles();
            case HSYNC -> new RecordSyncs();
            case META -> new Metadata();
            case MIXED -> new Mixed();
            case CONVERT -> new ConvertedTree();
            case APPEND -> new Appends();
        };
    }

    private void run(Workload workload, Stage stage, Steps steps) throws Exception {
        long before = stage.stored();
        List<Workload.Session> sessions = new ArrayList<>();
        for (Policy policy : plan.policies()) {
            sessions.add(workload.begin(stage, policy));
            steps.done();
        }
        for (int number = 1; number <= plan.repetitions(); number++) {
            for (Workload.Session session : sessions) {
                session.repeat(number);
                steps.done();
            }
        }
        for (Workload.Session session : sessions) {
            session.end();
        }
        stage.drain(before);
    }

    /** Removes the files after a failure, which remains the one that is reported. */
    private static void remove(EcfsClient client, FilePath base, Exception failure) {
        try {
            Await.result(client.delete(base, true));
        } catch (IOException e) {
            failure.addSuppressed(e);
        }
    }

    private void requireDatanodes(ClusterReport report) throws EcfsException {
        long healthy = report.datanodes().stream()
                .filter(datanode -> datanode.state() == ClusterReport.DatanodeState.HEALTHY)
                .count();
        for (Policy policy : plan.policies()) {
            if (policy.chunks() > healthy) {
                throw new EcfsException(
                        ErrorCode.INVALID_ARGUMENT,
                        "policy " + policy + " needs " + policy.chunks() + " datanodes, " + healthy + " of "
                                + target.uri() + " are healthy");
            }
        }
    }

    private Map<String, Object> setting(ClusterReport report) {
        Map<String, Object> setting = new LinkedHashMap<>();
        setting.put("dns", report.datanodes().size());
        setting.put("nns", report.namenodes().size());
        target.own().filter(own -> own.processes() > 1).ifPresent(own -> setting.put("jvms", own.processes()));
        setting.put("coder", Kernels.best().name());
        if (plan.sync()) {
            setting.put("sync", true);
        }
        return setting;
    }

    /** Counts what is done. */
    private static final class Steps {
        private final long all;
        private final Progress progress;
        private long done;

        Steps(long all, Progress progress) {
            this.all = all;
            this.progress = progress;
        }

        void done() {
            done++;
        }

        void doing(String what) {
            progress.at(done / (double) all, what);
        }
    }
}
