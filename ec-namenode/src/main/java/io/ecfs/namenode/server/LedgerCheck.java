package io.ecfs.namenode.server;

import io.ecfs.code.ChunkSet;
import io.ecfs.layout.GroupId;
import io.ecfs.namenode.group.GroupFacts;
import io.ecfs.namenode.report.DamageLedger;
import io.ecfs.namenode.state.MetadataView;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Recounts what groups lack and compares it with the ledger of damage: a few groups at a time, round and round, for as
 * long as the namenode runs. A group that differs is looked at once more the next time, since an entry may just have
 * been applied whose change is still to arrive; then it is an ERROR, and the ledger is put right. Owner thread: the
 * namenode's event thread.
 */
final class LedgerCheck {
    private static final Logger LOG = LoggerFactory.getLogger(LedgerCheck.class);

    /** Groups of one look: about two milliseconds. */
    private static final int SOME = 100;

    private final Surroundings around;
    private final HealthSurvey survey;
    private Set<GroupId> doubtful = new TreeSet<>();
    private GroupId nextGroup = new GroupId(1);
    private GroupId nextNoted = new GroupId(1);

    LedgerCheck(Surroundings around, HealthSurvey survey) {
        this.around = around;
        this.survey = survey;
    }

    /** Recounts the next groups; the survey is settled. */
    void some(MetadataView view) {
        Set<GroupId> differ = new TreeSet<>();
        nextGroup = next(view.groupsFrom(nextGroup, SOME), differ, view);
        nextNoted = next(survey.ledger().damagedFrom(nextNoted, SOME), differ, view);
        doubtful.removeIf(group -> !differs(view, group));
        doubtful.forEach(group -> putRight(view, group));
        doubtful = differ;
    }

    private GroupId next(List<GroupId> some, Collection<GroupId> differ, MetadataView view) {
        some.stream().filter(group -> differs(view, group)).forEach(differ::add);
        return new GroupId(some.size() < SOME ? 1 : some.get(some.size() - 1).value() + 1);
    }

    private boolean differs(MetadataView view, GroupId group) {
        return !recount(view, group).equals(survey.ledger().lacking(group).keySet());
    }

    private void putRight(MetadataView view, GroupId group) {
        LOG.error(
                "event=ledger_differs group={} ledger={} recount={}",
                group,
                survey.ledger().lacking(group).keySet(),
                recount(view, group));
        survey.ledger().forget(group);
        survey.lookAt(view, group);
    }

    /** What is wrong with the ledger as a whole; empty: nothing. */
    Optional<String> all(MetadataView view) {
        Map<GroupId, Set<Integer>> lacking = new TreeMap<>();
        long[] lost = new long[1];
        view.groups(new GroupId(1), group -> {
            Set<Integer> lacks = recount(view, group.group());
            if (!lacks.isEmpty()) {
                lacking.put(group.group(), lacks);
                ChunkSet left = ChunkSet.range(0, group.policy().chunks()).minus(ChunkSet.of(lacks));
                lost[0] += group.policy().code().decodable(left) ? 0 : 1;
            }
            return true;
        });
        DamageLedger.Counts counts = new DamageLedger.Counts(lacking.size() - lost[0], lost[0]);
        if (!survey.ledger().damaged().equals(lacking)) {
            return Optional.of("the ledger has " + survey.ledger().damaged() + ", a recount " + lacking);
        }
        return survey.ledger().counts().equals(counts)
                ? Optional.empty()
                : Optional.of("the ledger counts " + survey.ledger().counts() + ", a recount " + counts);
    }

    /** The indexes of a sealed group that are not where the facts place them; none of any other. */
    private Set<Integer> recount(MetadataView view, GroupId id) {
        Optional<GroupFacts> sealed = around.sealed(view, id);
        return IntStream.range(0, sealed.map(group -> group.places().size()).orElse(0))
                .filter(index -> !around.live(sealed.orElseThrow(), index))
                .boxed()
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
