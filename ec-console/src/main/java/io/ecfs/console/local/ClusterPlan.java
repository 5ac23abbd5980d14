package io.ecfs.console.local;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.Policy;
import io.ecfs.message.Address;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Daemons of a local cluster. Created at the first {@code ecfs up} on a directory and stored there; ports stay the
 * same, since the namenodes' log has its members by address.
 *
 * @param consolePort of the console; plans of earlier versions have none, and get one when they are opened
 * @param statusPorts where daemons serve {@code /metrics}, by their ids; plans of earlier versions have none, and get
 *     some when they are opened
 */
public record ClusterPlan(
        Policy policy,
        List<NamenodePlan> namenodes,
        List<DatanodePlan> datanodes,
        int consolePort,
        Map<String, Integer> statusPorts) {
    /** Address on which all daemons listen. */
    static final String HOST = "127.0.0.1";

    /** Ports that one namenode needs: clients', the log's. */
    private static final int PORTS_OF_NAMENODE = 2;

    /** @param logPort where the other namenodes reach this one's log */
    public record NamenodePlan(String id, int port, int logPort) {
        public Address address() {
            return new Address(HOST, port);
        }

        public Address logAddress() {
            return new Address(HOST, logPort);
        }
    }

    public record DatanodePlan(String id, int port, String rack, int volumes) {
        public Address address() {
            return new Address(HOST, port);
        }
    }

    /**
     * Options of {@code ecfs up}.
     *
     * @param portBase first of the ports to use, in a row; 0: any that are free
     */
    public record Shape(Policy policy, int namenodes, int datanodes, int volumes, int racks, int portBase) {
        public Shape {
            Objects.requireNonNull(policy, "policy");
            if (namenodes < 1 || namenodes > 9 || namenodes % 2 == 0) {
                throw new IllegalArgumentException(
                        "--namenodes must be 1, 3, 5, 7 or 9, so that a majority is clear; got " + namenodes);
            }
            requireRange("--datanodes", datanodes, 1, 500);
            requireRange("--volumes", volumes, 1, 64);
            requireRange("--racks", racks, 1, datanodes);
            if (datanodes < policy.chunks()) {
                throw new IllegalArgumentException("policy " + policy + " needs " + policy.chunks()
                        + " datanodes, one for each chunk; got --datanodes " + datanodes
                        + ". Start more, or choose a smaller --policy");
            }
            if (portBase != 0) {
                requireRange("--port-base", portBase, 1024, 65_535 - ports());
            }
        }

        int ports() {
            return namenodes * PORTS_OF_NAMENODE + datanodes + 1 + namenodes + datanodes;
        }

        private static void requireRange(String option, int value, int least, int most) {
            if (value < least || value > most) {
                throw new IllegalArgumentException(
                        option + " must be from " + least + " to " + most + ", got " + value);
            }
        }
    }

    public ClusterPlan {
        Objects.requireNonNull(policy, "policy");
        namenodes = List.copyOf(namenodes);
        datanodes = List.copyOf(datanodes);
        statusPorts = statusPorts == null ? Map.of() : Collections.unmodifiableMap(new TreeMap<>(statusPorts));
    }

    static ClusterPlan of(Shape shape) throws IOException {
        Iterator<Integer> ports = (shape.portBase() == 0
                        ? Ports.free(shape.ports())
                        : IntStream.range(shape.portBase(), shape.portBase() + shape.ports())
                                .boxed()
                                .toList())
                .iterator();
        List<NamenodePlan> namenodes = new ArrayList<>();
        for (int i = 0; i < shape.namenodes(); i++) {
            namenodes.add(new NamenodePlan("nn" + i, ports.next(), ports.next()));
        }
        List<DatanodePlan> datanodes = new ArrayList<>();
        for (int i = 0; i < shape.datanodes(); i++) {
            datanodes.add(new DatanodePlan("dn" + i, ports.next(), "/rack" + i % shape.racks(), shape.volumes()));
        }
        return new ClusterPlan(shape.policy(), namenodes, datanodes, ports.next(), Map.of()).withStatusPorts(ports);
    }

    /** The plan of a directory: what is there, or a new one of this shape. */
    static ClusterPlan openOrCreate(Path directory, Shape shape) throws IOException {
        Path file = directory.resolve("plan.json");
        ClusterPlan there = JsonFile.exists(file) ? JsonFile.read(file, ClusterPlan.class) : of(shape);
        ClusterPlan named = there.consolePort() > 0
                ? there
                : there.withConsolePort(Ports.free(1).get(0));
        int daemons = (int) named.ids().count();
        ClusterPlan plan = named.statusPorts().size() == daemons
                ? named
                : named.withStatusPorts(Ports.free(daemons).iterator());
        JsonFile.write(file, plan);
        return plan;
    }

    private ClusterPlan withConsolePort(int port) {
        return new ClusterPlan(policy, namenodes, datanodes, port, statusPorts);
    }

    private ClusterPlan withStatusPorts(Iterator<Integer> ports) {
        Map<String, Integer> its = new TreeMap<>();
        ids().forEach(id -> its.put(id, ports.next()));
        return new ClusterPlan(policy, namenodes, datanodes, consolePort, its);
    }

    /** Address at which a daemon serves {@code /health} and {@code /metrics}. */
    public Address statusAddress(String id) {
        return new Address(HOST, statusPorts.get(id));
    }

    /** Address of the console, unless its port is taken. */
    public Address consoleAddress() {
        return new Address(HOST, consolePort);
    }

    /** @throws EcfsException when no cluster was ever started on the directory */
    static ClusterPlan open(Path directory) throws IOException {
        Path file = directory.resolve("plan.json");
        if (!JsonFile.exists(file)) {
            throw new EcfsException(
                    ErrorCode.NOT_FOUND,
                    "no cluster in " + directory + ": start one with 'ecfs up --dir " + directory + "'");
        }
        return JsonFile.read(file, ClusterPlan.class);
    }

    /** The shape that this plan was made of, with the ports it got. */
    public Shape shape() {
        return new Shape(
                policy,
                namenodes.size(),
                datanodes.size(),
                datanodes.get(0).volumes(),
                (int) datanodes.stream().map(DatanodePlan::rack).distinct().count(),
                namenodes.get(0).port());
    }

    /** Addresses of all namenodes. */
    public List<Address> addresses() {
        return namenodes.stream().map(NamenodePlan::address).toList();
    }

    /** {@code ecfs://host:port,host:port,…} with every namenode. */
    public String uri() {
        return "ecfs://" + namenodes.stream().map(n -> n.address().toString()).collect(Collectors.joining(","));
    }

    /** Ids of all daemons, namenodes first. */
    public Stream<String> ids() {
        return Stream.concat(
                namenodes.stream().map(NamenodePlan::id), datanodes.stream().map(DatanodePlan::id));
    }
}
