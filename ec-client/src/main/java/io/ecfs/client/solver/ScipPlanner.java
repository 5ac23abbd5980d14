package io.ecfs.client.solver;

import com.google.ortools.Loader;
import com.google.ortools.linearsolver.MPConstraint;
import com.google.ortools.linearsolver.MPObjective;
import com.google.ortools.linearsolver.MPSolver;
import com.google.ortools.linearsolver.MPSolverParameters;
import com.google.ortools.linearsolver.MPVariable;
import io.ecfs.code.ChunkSet;
import io.ecfs.error.Invariant;
import io.ecfs.plan.AccessCost;
import io.ecfs.plan.BlockNeed;
import io.ecfs.plan.Candidate;
import io.ecfs.plan.JointPlan;
import io.ecfs.plan.JointPlanner;
import io.ecfs.plan.SiteCosts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The best plan, as an integer program (EC-Store, equations 1 to 4).
 *
 * <pre>
 *   minimise   sum_j o_j a_j + sum_ij m_j z_i s_ij
 *   subject to sum_j s_ij >= k_i (1 - d_i)     enough chunks of each block, unless it is read directly
 *              s_ij >= d_i                     for the chunks that are its direct ones
 *              a_j >= s_ij                     a site of which something is read is accessed
 *   a_j, d_i in {0, 1}; s_ij in [0, 1]
 * </pre>
 *
 * The paper's |Q| a_j >= sum_i s_ij has the same integer solutions and a weaker relaxation, so that it takes longer.
 * Once the a_j are known the cheapest chunks at those sites are a best choice, so the s_ij need not be integers, and
 * are not considered.
 */
final class ScipPlanner implements JointPlanner {
    private final Duration timeLimit;

    private ScipPlanner(Duration timeLimit) {
        this.timeLimit = timeLimit;
    }

    /** @throws LinkageError or RuntimeException when the library or its native part cannot be had */
    static ScipPlanner load(Duration timeLimit) {
        Loader.loadNativeLibraries();
        ScipPlanner planner = new ScipPlanner(timeLimit);
        planner.solver().delete();
        return planner;
    }

    private MPSolver solver() {
        MPSolver solver = MPSolver.createSolver("SCIP");
        Invariant.check(solver != null, "this build of OR-Tools has no SCIP");
        return solver;
    }

    /** Empty also when no plan was found within the time limit. */
    @Override
    public Optional<JointPlan> plan(List<BlockNeed> blocks, SiteCosts costs) {
        if (!blocks.stream().allMatch(BlockNeed::feasible)) {
            return Optional.empty();
        }
        MPSolver solver = solver();
        MPSolverParameters parameters = new MPSolverParameters();
        try {
            solver.setTimeLimit(timeLimit.toMillis());
            parameters.setDoubleParam(MPSolverParameters.DoubleParam.RELATIVE_MIP_GAP, 1e-9);
            Map<Integer, MPVariable> accessed = model(solver, blocks, costs);
            return switch (solver.solve(parameters)) {
                case OPTIMAL, FEASIBLE -> Optional.of(planAt(sites(accessed), blocks, costs));
                default -> Optional.empty();
            };
        } finally {
            parameters.delete();
            solver.delete();
        }
    }

    private static Map<Integer, MPVariable> model(MPSolver solver, List<BlockNeed> blocks, SiteCosts costs) {
        double scale = scale(blocks, costs);
        MPObjective objective = solver.objective();
        objective.setMinimization();
        Map<Integer, MPVariable> accessed = new TreeMap<>();
        for (BlockNeed block : blocks) {
            MPConstraint enough = solver.makeConstraint(block.least(), MPSolver.infinity());
            MPVariable direct = solver.makeBoolVar("");
            direct.setUb(block.direct().isEmpty() ? 0 : 1);
            enough.setCoefficient(direct, block.least());
            for (Candidate candidate : block.candidates()) {
                MPVariable site = accessed.computeIfAbsent(candidate.site(), s -> {
                    MPVariable made = solver.makeBoolVar("");
                    objective.setCoefficient(made, costs.access(s) / scale);
                    return made;
                });
                MPVariable chosen = solver.makeNumVar(0, 1, "");
                objective.setCoefficient(chosen, costs.read(candidate) / scale);
                enough.setCoefficient(chosen, 1);
                atLeast(solver, site, chosen);
                if (block.direct().contains(candidate.index())) {
                    atLeast(solver, chosen, direct);
                }
            }
        }
        return accessed;
    }

    /** The largest coefficient becomes 1: tolerances of solvers are absolute. */
    private static double scale(List<BlockNeed> blocks, SiteCosts costs) {
        double largest = blocks.stream()
                .flatMap(b -> b.candidates().stream())
                .mapToDouble(c -> Math.max(costs.access(c.site()), costs.read(c)))
                .max()
                .orElse(1);
        return largest > 0 ? largest : 1;
    }

    private static void atLeast(MPSolver solver, MPVariable greater, MPVariable less) {
        MPConstraint constraint = solver.makeConstraint(0, MPSolver.infinity());
        constraint.setCoefficient(greater, 1);
        constraint.setCoefficient(less, -1);
    }

    private static Set<Integer> sites(Map<Integer, MPVariable> accessed) {
        Set<Integer> sites = new HashSet<>();
        accessed.forEach((site, variable) -> {
            if (variable.solutionValue() > 0.5) {
                sites.add(site);
            }
        });
        return sites;
    }

    private static JointPlan planAt(Set<Integer> sites, List<BlockNeed> blocks, SiteCosts costs) {
        List<ChunkSet> chunks = new ArrayList<>();
        for (BlockNeed block : blocks) {
            chunks.add(cheapest(block, sites, costs));
        }
        return new JointPlan(chunks, AccessCost.of(blocks, chunks, costs));
    }

    private static ChunkSet cheapest(BlockNeed block, Set<Integer> sites, SiteCosts costs) {
        List<Candidate> here = block.candidates().stream()
                .filter(c -> sites.contains(c.site()))
                .sorted(Comparator.comparingDouble(costs::read).thenComparingInt(Candidate::index))
                .toList();
        List<Candidate> direct =
                here.stream().filter(c -> block.direct().contains(c.index())).toList();
        List<Candidate> any = here.subList(0, Math.min(here.size(), block.least()));
        boolean directly = !direct.isEmpty() && direct.size() == block.direct().size();
        boolean anyhow = any.size() == block.least();
        Invariant.check(directly || anyhow, "sites %s of the solution do not serve %s", sites, block);
        boolean takeDirect = directly && (!anyhow || sum(direct, costs) <= sum(any, costs));
        return ChunkSet.of(
                (takeDirect ? direct : any).stream().map(Candidate::index).toList());
    }

    private static double sum(List<Candidate> candidates, SiteCosts costs) {
        return candidates.stream().mapToDouble(costs::read).sum();
    }
}
