package io.ecfs.plan.write;

import io.ecfs.layout.WriteSide;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.Map;
import java.util.OptionalInt;

/**
 * Rate of many writes at once, by the bounds of a closed network of queues: with D_r the time that a write takes of
 * resource r, WT its time alone and w stripes under way at each of N clients,
 *
 * <pre>
 *   X = min( N w / WT,  min over r of instances_r / D_r )
 * </pre>
 *
 * So with pipelining the paper's sum of steps becomes the slowest stage. Both bounds are upper ones and are approached
 * where one is well below the other; between them queueing takes its share. The rate is exact for one stripe under way.
 */
public final class WriteForecast {
    private static final double NANOS = 1e9;
    private static final int MOST_DATANODES = 1_000_000;

    private final WriteCost cost;
    private final WriteSystem system;
    private final Map<WriteResource, Double> demands = new EnumMap<>(WriteResource.class);

    /** @throws IllegalArgumentException for more chunks than datanodes */
    public WriteForecast(WriteCost cost, WriteSystem system) {
        WriteShape shape = cost.shape();
        if (shape.chunks() > system.datanodes()) {
            throw new IllegalArgumentException(
                    "k + m = " + shape.chunks() + " chunks of a group need as many datanodes," + " got "
                            + system.datanodes() + "; nearest is " + shape.chunks());
        }
        this.cost = cost;
        this.system = system;
        fill(shape);
    }

    private void fill(WriteShape shape) {
        boolean byMaster = shape.side() == WriteSide.MASTER;
        double copying = cost.nanos(WritePart.COPYING);
        double encoding = cost.nanos(WritePart.ENCODING);
        double sending = cost.nanos(WritePart.DISTRIBUTING, CostTerm.MESSAGE, CostTerm.SENT_BYTE);
        double distribution = cost.nanos(WritePart.DISTRIBUTING, CostTerm.WIRE, CostTerm.GIGABIT);
        double transfer = cost.nanos(WritePart.TRANSFERRING, CostTerm.TO_MASTER);
        double serving = cost.nanos(WritePart.SERVING) * shape.chunks();
        int masters = Math.min(system.clients(), system.datanodes());
        double cores = system.coresOfDatanode();
        set(
                WriteResource.CLIENT_CPU,
                copying + (byMaster ? cost.nanos(WritePart.TRANSFERRING, CostTerm.BYTE) : encoding + sending),
                system.clients());
        set(WriteResource.CLIENT_NIC, byMaster ? transfer : distribution, system.clients());
        set(
                WriteResource.MASTER_CPU,
                byMaster ? cost.nanos(WritePart.MANAGING) + encoding + sending : 0,
                masters * cores);
        set(WriteResource.MASTER_NIC, byMaster ? distribution : 0, masters);
        set(WriteResource.SLAVE_CPU, serving, system.datanodes() * cores);
        set(WriteResource.SLAVE_NIC, distribution + transfer, system.datanodes());
        set(WriteResource.SLAVE_DISK, shape.storedBytes() * NANOS / system.diskBytesPerSecond(), system.datanodes());
        set(WriteResource.NAMENODE, cost.nanos(WritePart.ASKING, CostTerm.CALL), 1);
    }

    private void set(WriteResource resource, double nanos, double instances) {
        demands.put(resource, nanos / instances);
    }

    public WriteCost cost() {
        return cost;
    }

    public WriteSystem system() {
        return system;
    }

    /** Nanoseconds between two writes of the whole system, were a resource alone to bound it. */
    public Map<WriteResource, Double> demands() {
        return new EnumMap<>(demands);
    }

    /** The resource with the largest demand. */
    public WriteResource busiest() {
        return demands.entrySet().stream()
                .max(Map.Entry.comparingByValue(Comparator.naturalOrder()))
                .orElseThrow()
                .getKey();
    }

    /** True when clients wait for answers with everything idle in between: more stripes under way would help. */
    public boolean boundByWindow() {
        return windowNanos() > demands.get(busiest());
    }

    /** The busiest resource, or the window of stripes under way. */
    public String bottleneck() {
        return boundByWindow()
                ? "window of " + system.window() + " stripes"
                : busiest().words();
    }

    private double windowNanos() {
        return cost.nanos() / (system.clients() * (double) system.window());
    }

    /** Writes of all clients in a second. */
    public double writesPerSecond() {
        return NANOS / Math.max(windowNanos(), demands.get(busiest()));
    }

    /** User bytes of all clients in a second. */
    public double bytesPerSecond() {
        return writesPerSecond() * cost.shape().recordBytes();
    }

    /**
     * The fewest datanodes with which clients, their window or the namenode are the bottleneck; empty when that takes
     * more than {@value #MOST_DATANODES}.
     */
    public OptionalInt datanodesForClients() {
        int least = cost.shape().chunks();
        int most = MOST_DATANODES;
        if (boundByDatanodes(most)) {
            return OptionalInt.empty();
        }
        while (least < most) {
            int middle = (least + most) / 2;
            if (boundByDatanodes(middle)) {
                least = middle + 1;
            } else {
                most = middle;
            }
        }
        return OptionalInt.of(least);
    }

    private boolean boundByDatanodes(int count) {
        WriteForecast other = new WriteForecast(cost, system.withDatanodes(count));
        return !other.boundByWindow() && other.busiest().ofDatanodes();
    }
}
