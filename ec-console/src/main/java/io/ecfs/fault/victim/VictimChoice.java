package io.ecfs.fault.victim;

import io.ecfs.code.construction.Codes;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.fault.profile.FaultProfile.Budget;
import io.ecfs.fault.profile.FaultStep;
import io.ecfs.fault.profile.Level;
import io.ecfs.fault.profile.VictimRule;
import io.ecfs.fault.profile.VictimSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * Chooses victims: of all sets that the rule and the budget allow, the fullest, the one whose repair reads fewest or
 * most bytes, or any.
 */
public final class VictimChoice {
    private final Placement placement;
    private final FaultBudget budget;
    private final Codes codes;

    public VictimChoice(Placement placement, FaultBudget budget, Codes codes) {
        this.placement = placement;
        this.budget = budget;
        this.codes = codes;
    }

    /**
     * Chooses the victims of a fault. One that takes no chunk away, as a slow link, needs no budget.
     *
     * @param away volumes that other faults have taken away
     * @param hurt volumes of victims of other faults, which are not chosen again
     * @throws EcfsException {@code INVALID_ARGUMENT} when no set is legal, with the reason
     */
    public Victims choose(
            FaultStep step, Collection<StoredVolume> away, Collection<StoredVolume> hurt, SplittableRandom random)
            throws EcfsException {
        VictimChoice within = step.fault().takesChunksAway()
                ? this
                : new VictimChoice(placement, new FaultBudget(Budget.BEYOND, budget.during()), codes);
        return within.choose(step.victims(), away, hurt, random);
    }

    /**
     * Chooses a set of victims of a fault that takes chunks away.
     *
     * @param away volumes that are hurt by other faults and not healed
     * @throws EcfsException {@code INVALID_ARGUMENT} when no set is legal, with the reason
     */
    public Victims choose(VictimRule rule, Collection<StoredVolume> away, SplittableRandom random)
            throws EcfsException {
        return choose(rule, away, away, random);
    }

    private Victims choose(
            VictimRule rule, Collection<StoredVolume> away, Collection<StoredVolume> hurt, SplittableRandom random)
            throws EcfsException {
        List<Candidate> candidates = candidates(rule, hurt);
        SetSearch search = new SetSearch(candidates, rule.count(), random);
        List<List<Candidate>> legal = new ArrayList<>();
        Optional<String> refusal = Optional.empty();
        for (List<Candidate> set : search.sets()) {
            if (!placed(rule, set)) {
                continue;
            }
            Optional<String> why = budget.refusal(placement, union(away, set));
            refusal = refusal.or(() -> why);
            if (why.isEmpty()) {
                legal.add(set);
            }
        }
        if (legal.isEmpty()) {
            throw new EcfsException(ErrorCode.INVALID_ARGUMENT, noSet(rule, candidates, refusal));
        }
        return victims(best(rule, legal, random));
    }

    private List<Candidate> best(VictimRule rule, List<List<Candidate>> legal, SplittableRandom random) {
        if (rule.plan() != VictimRule.Plan.ANY) {
            RepairCost cost = new RepairCost(placement, codes);
            Comparator<List<Candidate>> byCost = Comparator.comparingDouble(set -> cost.bytes(volumes(set)));
            return legal.stream()
                    .min(rule.plan() == VictimRule.Plan.CHEAPEST ? byCost : byCost.reversed())
                    .orElseThrow();
        }
        if (rule.of().kind() == VictimSource.Kind.FULLEST) {
            return legal.stream()
                    .min(Comparator.comparingLong(set -> -placement.bytesOn(volumes(set))))
                    .orElseThrow();
        }
        return legal.get(random.nextInt(legal.size()));
    }

    private List<Candidate> candidates(VictimRule rule, Collection<StoredVolume> hurt) throws EcfsException {
        List<Candidate> all = byLevel(rule.level());
        all.removeIf(candidate -> candidate.volumes().stream().anyMatch(hurt::contains));
        List<PlacedGroup> of = groups(rule.of());
        if (rule.of().kind() == VictimSource.Kind.NAMES) {
            requireKnown(rule.of().names(), all);
            all.removeIf(candidate -> !rule.of().names().contains(candidate.name()));
        } else if (rule.of().kind() == VictimSource.Kind.GROUP || rule.of().kind() == VictimSource.Kind.FILE) {
            all.removeIf(candidate ->
                    of.stream().allMatch(group -> group.on(candidate.volumes()).size() == 0));
        }
        if (rule.chunks() != VictimRule.Chunks.ANY && !of.isEmpty()) {
            PlacedGroup first = of.get(0);
            all.removeIf(candidate -> first.on(candidate.volumes()).stream()
                    .noneMatch(index -> rule.chunks().includes(first.policy().code(), index)));
        }
        return all;
    }

    private List<Candidate> byLevel(Level level) {
        Map<String, List<StoredVolume>> byName = new TreeMap<>(StoredVolume::natural);
        for (StoredVolume volume : placement.volumes()) {
            String name = switch (level) {
                case VOLUME -> volume.name();
                case DATANODE -> volume.datanode();
                case RACK -> volume.rack();
                case NAMENODE, LEADER -> throw new IllegalArgumentException(level + " stores no chunks");
            };
            byName.computeIfAbsent(name, key -> new ArrayList<>()).add(volume);
        }
        List<Candidate> candidates = new ArrayList<>();
        byName.forEach((name, volumes) ->
                candidates.add(new Candidate(name, volumes.get(0).rack(), volumes)));
        return candidates;
    }

    /** Groups that victims come from; all where the source names none. */
    private List<PlacedGroup> groups(VictimSource of) throws EcfsException {
        List<PlacedGroup> its = placement.groups(of);
        if (its.isEmpty() && of.kind() == VictimSource.Kind.GROUP) {
            int last = placement.groups().size() - 1;
            throw refused("the load has groups 0 to " + last + ", got 'of: " + of + "'; nearest valid is 'of: group:"
                    + last + "'");
        }
        if (its.isEmpty() && of.kind() == VictimSource.Kind.FILE) {
            throw refused("the load has no file " + of.argument() + "; nearest valid is 'of: file:"
                    + placement.groups().get(0).file() + "'");
        }
        return its;
    }

    private static void requireKnown(List<String> names, List<Candidate> all) throws EcfsException {
        List<String> known = all.stream().map(Candidate::name).toList();
        for (String name : names) {
            if (!known.contains(name)) {
                throw refused(
                        "no victim '" + name + "' that is not hurt already; there are " + String.join(" ", known));
            }
        }
    }

    private static boolean placed(VictimRule rule, List<Candidate> set) {
        long racks = set.stream().map(Candidate::rack).distinct().count();
        return switch (rule.place()) {
            case ANY -> true;
            case SAME_RACK -> racks == 1;
            case DIFFERENT_RACKS -> racks == set.size();
        };
    }

    private static String noSet(VictimRule rule, List<Candidate> candidates, Optional<String> refusal) {
        String wanted = rule.count() + " of level " + rule.level().word() + " of " + rule.of();
        if (candidates.size() < rule.count()) {
            return "no victims: " + wanted + " wanted, " + candidates.size()
                    + " match the rule; nearest valid is count " + Math.max(1, candidates.size());
        }
        return refusal.map(why -> "no victims within the budget: " + wanted + ": " + why
                        + "; choose a smaller count, or 'budget: beyond'")
                .orElse("no victims: no " + wanted + " lie as 'place: "
                        + rule.place().name().toLowerCase(java.util.Locale.ROOT).replace('_', '-')
                        + "' says; choose another place, or more racks");
    }

    private static EcfsException refused(String why) {
        return new EcfsException(ErrorCode.INVALID_ARGUMENT, why);
    }

    private static Set<StoredVolume> union(Collection<StoredVolume> away, List<Candidate> set) {
        Set<StoredVolume> all = new HashSet<>(away);
        all.addAll(volumes(set));
        return all;
    }

    private static List<StoredVolume> volumes(List<Candidate> set) {
        return set.stream().flatMap(candidate -> candidate.volumes().stream()).toList();
    }

    private static Victims victims(List<Candidate> set) {
        return new Victims(set.stream().map(Candidate::name).toList(), volumes(set));
    }
}
