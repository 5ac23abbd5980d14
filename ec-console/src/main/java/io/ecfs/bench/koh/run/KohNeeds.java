package io.ecfs.bench.koh.run;

import io.ecfs.bench.koh.ImageState;
import io.ecfs.bench.koh.IoKind;
import io.ecfs.bench.koh.KohPlan;
import io.ecfs.bench.koh.KohStage;
import io.ecfs.bench.koh.Mix;
import io.ecfs.bench.koh.RequestSizes;
import io.ecfs.bench.koh.Series;
import io.ecfs.bench.load.Content;
import io.ecfs.layout.Policy;
import java.util.List;
import java.util.function.Predicate;

/** Memory and disk that a plan needs, validated by the constructor. */
final class KohNeeds {
    private static final long MOST_BUFFERS = 1L << 30;
    private static final double SLACK = 1.05;

    /** One with its patches and one that is merged, while it has its patches, too. */
    private static final double PATCHED_FILES = 4;

    private final KohPlan plan;
    private final List<KohStage> stages;
    private final int blockBytes;

    /** @throws IllegalArgumentException for what does not fit in memory, with what to correct */
    KohNeeds(KohPlan plan) {
        this.plan = plan;
        this.stages = plan.stages();
        this.blockBytes = stages.stream().mapToInt(KohNeeds::blockBytes).min().orElse(Content.SLICE);
        long fileBytes = plan.options().fileBytes();
        if (fileBytes / blockBytes > ExpectedFile.MOST_BLOCKS) {
            throw new IllegalArgumentException("--size " + RequestSizes.text(fileBytes) + " in requests of "
                    + RequestSizes.text(blockBytes) + ": what each block must hold does not fit in memory; the most is"
                    + " --size " + RequestSizes.text(ExpectedFile.MOST_BLOCKS * blockBytes));
        }
        for (KohStage stage : stages) {
            if (stage instanceof KohStage.Requests requests
                    && (long) requests.bytes() * requests.depth() > MOST_BUFFERS) {
                throw new IllegalArgumentException(requests.depth() + " requests of "
                        + RequestSizes.text(requests.bytes()) + " under way do not fit in memory; the most is --depth "
                        + MOST_BUFFERS / requests.bytes());
            }
        }
    }

    /** The largest power of two that divides all requests, at most a slice of content. */
    private static int blockBytes(KohStage stage) {
        int bytes = stage instanceof KohStage.Requests requests
                ? Integer.lowestOneBit(requests.bytes())
                : Integer.lowestOneBit(((KohStage.MixRun) stage).mix().leastBytes());
        return Math.min(isPatched(stage) ? Images.PATCH_BYTES : Content.SLICE, bytes);
    }

    private static boolean isPatched(KohStage stage) {
        return stage instanceof KohStage.Requests requests && requests.state().isPatched();
    }

    int blockBytes() {
        return blockBytes;
    }

    /** The smallest requests of a series. */
    int warmUpBytes(Series series) {
        return stages.stream()
                .filter(KohStage.Requests.class::isInstance)
                .map(KohStage.Requests.class::cast)
                .filter(requests -> requests.series().equals(series))
                .mapToInt(KohStage.Requests::bytes)
                .min()
                .orElse(blockBytes);
    }

    List<Mix> mixes() {
        return plan.figures().stream()
                .flatMap(figure -> figure.mixes().stream())
                .distinct()
                .toList();
    }

    private boolean reads() {
        return any(IoKind.READ, requests -> true);
    }

    private boolean overwrites() {
        return any(IoKind.WRITE, requests -> requests.state() == ImageState.OVERWRITE);
    }

    private boolean any(IoKind kind, Predicate<KohStage.Requests> which) {
        return stages.stream()
                .anyMatch(stage -> stage instanceof KohStage.Requests requests
                        && requests.series().kind() == kind
                        && which.test(requests));
    }

    /**
     * Most that lies on the datanodes' disks at one time, about.
     *
     * @param updates how files are written
     */
    long storedBytes(UpdateSetting updates) {
        double overwritten = 1 + updates.dead(Images.PASSES);
        double files = (reads() ? 1 : 0)
                + (stages.stream().anyMatch(KohNeeds::isPatched) ? PATCHED_FILES : 0)
                + (overwrites() ? overwritten : 0)
                + (mixes().isEmpty() ? 0 : 1 + Images.PASSES);
        double all = 0;
        double largest = 0;
        for (Policy policy : plan.options().policies()) {
            double perByte = policy.chunks() / (double) policy.dataChunks();
            all += files * perByte;
            largest = Math.max(largest, perByte);
        }
        return (long) (SLACK * (all + largest) * plan.options().fileBytes());
    }
}
