package io.ecfs.namenode.stats;

import io.ecfs.message.DatanodeId;
import io.ecfs.message.datanode.DatanodeLoad;
import io.ecfs.message.namespace.AccessSet;
import io.ecfs.message.namespace.NamespaceRequest.ReportWrites;
import io.ecfs.message.report.WriteReport;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Statistics of one namenode, from the reports of clients and datanodes. Owner thread: the namenode's event thread.
 */
public final class Statistics {
    /** Age at which requests are dropped: they show nothing of present reads, however few came since. */
    private static final Duration OLDEST = Duration.ofHours(1);

    private final AccessWindow window = new AccessWindow(AccessWindow.REQUESTS);
    /** Sets that one client may report: none replaces the window alone. */
    static final int SETS_A_SECOND = 200;

    /** Two messages may come at once when the first one was late. */
    static final int SETS_AT_ONCE = 2 * SETS_A_SECOND;

    /**
     * Shares of writes and reasons of fallbacks that one user may report: a thousand clients, each every other second.
     */
    private static final int WRITES_A_SECOND = 1000;

    private final CallerBudgets budgets = new CallerBudgets(SETS_A_SECOND, SETS_AT_ONCE);
    private final LoadTable loads = new LoadTable();
    private final RelayTable relays = new RelayTable();
    private final CallerBudgets writeBudgets = new CallerBudgets(WRITES_A_SECOND, 2 * WRITES_A_SECOND);
    private Optional<WriteTotals> writes = Optional.empty();

    /** Adds sets that a caller reports; those beyond its budget are dropped. */
    public void onReport(String caller, List<AccessSet> sets, long nowMillis) {
        add(caller, sets.subList(0, budgets.take(caller, sets.size(), nowMillis)), nowMillis);
    }

    /** Adds sets of no known caller. */
    public void accessed(List<AccessSet> sets, long nowMillis) {
        add("", sets, nowMillis);
    }

    private void add(String caller, List<AccessSet> sets, long nowMillis) {
        window.forgetBefore(nowMillis - OLDEST.toMillis());
        sets.forEach(set -> window.add(caller, set, nowMillis));
    }

    /** The window without what became too old. */
    public AccessWindow window(long nowMillis) {
        window.forgetBefore(nowMillis - OLDEST.toMillis());
        return window;
    }

    /**
     * Adds the writes that a caller reports; shares and reasons of fallbacks beyond its budget are dropped.
     *
     * @param epochMillis the wall clock, which operators are shown
     */
    public void onWrites(String caller, ReportWrites writes, long nowMillis, long epochMillis) {
        WriteTotals totals = writeTotals(epochMillis);
        totals.add(within(caller, writes.shares(), nowMillis));
        totals.addFallbacks(within(caller, writes.fallbacks().orElse(List.of()), nowMillis));
    }

    private <T> List<T> within(String caller, List<T> reported, long nowMillis) {
        return reported.subList(0, writeBudgets.take(caller, reported.size(), nowMillis));
    }

    /** Writes since the first report or question, and the datanodes that relay at present. */
    public WriteReport writes(long nowMillis, long epochMillis) {
        return writeTotals(epochMillis).report(relays.masters(nowMillis));
    }

    private WriteTotals writeTotals(long epochMillis) {
        if (writes.isEmpty()) {
            writes = Optional.of(new WriteTotals(epochMillis));
        }
        return writes.get();
    }

    /** Approximate memory. */
    public long bytes() {
        return window.bytes() + loads.bytes() + relays.bytes();
    }

    public RelayTable relays() {
        return relays;
    }

    public LoadTable loads() {
        return loads;
    }

    /** Loads of those among these datanodes that reported lately. */
    public SiteLoads siteLoads(Collection<DatanodeId> datanodes, long nowMillis) {
        TreeMap<DatanodeId, DatanodeLoad> reported = new TreeMap<>();
        datanodes.forEach(datanode -> loads.load(datanode, nowMillis).ifPresent(load -> reported.put(datanode, load)));
        return new SiteLoads(reported);
    }
}
