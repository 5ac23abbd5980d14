package io.ecfs.client.access;

import io.ecfs.code.ChunkSet;
import io.ecfs.env.Randomness;
import io.ecfs.plan.AccessCost;
import io.ecfs.plan.BlockNeed;
import io.ecfs.plan.Candidate;
import io.ecfs.plan.JointPlan;
import io.ecfs.plan.JointPlanner;
import io.ecfs.plan.SiteCosts;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Takes any chunks of each block that are enough, every choice as likely as the others: the paper's baseline for
 * replicas and for coded blocks. Only what is in doubt, of a datanode that does not answer, is taken last, as that
 * baseline does not ask failed sites.
 */
final class RandomPlanner implements JointPlanner {
    /** Costs beside the reading, in nanoseconds, from which a candidate is in doubt; decoding takes less. */
    private static final double DOUBT = 10_000_000;

    private final Randomness randomness;

    RandomPlanner(Randomness randomness) {
        this.randomness = randomness;
    }

    @Override
    public Optional<JointPlan> plan(List<BlockNeed> blocks, SiteCosts costs) {
        List<ChunkSet> chosen = new ArrayList<>(blocks.size());
        for (BlockNeed block : blocks) {
            if (!block.feasible()) {
                return Optional.empty();
            }
            chosen.add(block.candidates().size() < block.least() ? block.direct() : drawn(block));
        }
        return Optional.of(new JointPlan(chosen, AccessCost.of(blocks, chosen, costs)));
    }

    private ChunkSet drawn(BlockNeed block) {
        List<Candidate> sound = new ArrayList<>();
        List<Candidate> doubtful = new ArrayList<>();
        block.candidates().forEach(one -> (one.extra() < DOUBT ? sound : doubtful).add(one));
        ChunkSet drawn = ChunkSet.empty();
        while (drawn.size() < block.least()) {
            List<Candidate> from = sound.isEmpty() ? doubtful : sound;
            drawn = drawn.with(from.remove(randomness.nextInt(from.size())).index());
        }
        return drawn;
    }
}
