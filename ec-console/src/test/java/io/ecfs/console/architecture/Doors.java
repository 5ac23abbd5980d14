package io.ecfs.console.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.stream.Stream;

/**
 * The doors to the world: clock, chance, threads, files, sockets, the process itself. Outside the packages named here a
 * class gets them passed in as a port of {@code io.ecfs.env}, which is what lets the simulation replay a seed.
 */
final class Doors {
    private static final String REAL_ENVIRONMENT = "io.ecfs.env.real..";
    /** Benches, tortures and fault experiments start processes and threads as commands do. */
    private static final String[] TOOLS = {
        "io.ecfs.console..", "io.ecfs.bench..", "io.ecfs.torture..", "io.ecfs.fault.."
    };
    /** A seed must be a replay. */
    private static final String SIMULATION = "io.ecfs.sim..";

    private static final String EVERY = "*";
    private static final String NEW = "<init>";

    /** Class → methods that read the clock of the machine or wait by it. */
    private static final Map<String, Set<String>> TIME = Map.ofEntries(
            Map.entry("java.lang.System", Set.of("nanoTime", "currentTimeMillis")),
            Map.entry("java.time.Instant", Set.of("now")),
            Map.entry("java.time.LocalDate", Set.of("now")),
            Map.entry("java.time.LocalTime", Set.of("now")),
            Map.entry("java.time.LocalDateTime", Set.of("now")),
            Map.entry("java.time.OffsetDateTime", Set.of("now")),
            Map.entry("java.time.ZonedDateTime", Set.of("now")),
            Map.entry("java.time.InstantSource", Set.of("system")),
            Map.entry("java.time.Clock", Set.of("system", "systemUTC", "systemDefaultZone")),
            Map.entry("java.util.Date", Set.of(NEW)),
            Map.entry("java.util.Calendar", Set.of("getInstance")),
            Map.entry("java.lang.Thread", Set.of("sleep")),
            Map.entry("java.util.concurrent.TimeUnit", Set.of("sleep")),
            Map.entry("java.util.concurrent.locks.LockSupport", Set.of("parkNanos", "parkUntil")),
            Map.entry(
                    "java.util.concurrent.CompletableFuture",
                    Set.of("orTimeout", "completeOnTimeout", "delayedExecutor")));

    private static final Map<String, Set<String>> CHANCE = Map.of(
            "java.util.Random", Set.of(NEW),
            "java.util.SplittableRandom", Set.of(NEW),
            "java.security.SecureRandom", Set.of(NEW, "getInstance", "getInstanceStrong"),
            "java.util.concurrent.ThreadLocalRandom", Set.of("current"),
            "java.util.random.RandomGenerator", Set.of("of", "getDefault"),
            "java.lang.Math", Set.of("random"),
            "java.util.UUID", Set.of("randomUUID"));

    private static final Map<String, Set<String>> THREADS = Map.of(
            "java.lang.Thread", Set.of(NEW),
            "java.util.Timer", Set.of(NEW),
            "java.util.concurrent.Executors", Set.of(EVERY),
            "java.util.concurrent.ThreadPoolExecutor", Set.of(NEW),
            "java.util.concurrent.ScheduledThreadPoolExecutor", Set.of(NEW),
            "java.util.concurrent.ForkJoinPool", Set.of(EVERY),
            "java.util.Collection", Set.of("parallelStream"),
            "java.util.stream.BaseStream", Set.of("parallel"));

    private static final Map<String, Set<String>> FILES = Map.of(
            "java.nio.file.Files", Set.of(EVERY),
            "java.nio.channels.FileChannel", Set.of("open"),
            "java.nio.channels.AsynchronousFileChannel", Set.of("open"),
            "java.io.FileInputStream", Set.of(NEW),
            "java.io.FileOutputStream", Set.of(NEW),
            "java.io.FileReader", Set.of(NEW),
            "java.io.FileWriter", Set.of(NEW),
            "java.io.RandomAccessFile", Set.of(NEW));

    /** What of {@link java.io.File} only speaks of the path; all the rest touches the disk. */
    private static final Set<String> PATH_ARITHMETIC = Set.of(
            NEW, "getPath", "getName", "getParent", "getParentFile", "getAbsolutePath", "getAbsoluteFile", "toPath");

    private static final Map<String, Set<String>> SOCKETS = Map.of(
            "java.net.Socket", Set.of(NEW),
            "java.net.ServerSocket", Set.of(NEW),
            "java.net.DatagramSocket", Set.of(NEW),
            "java.nio.channels.SocketChannel", Set.of("open"),
            "java.nio.channels.ServerSocketChannel", Set.of("open"),
            "java.nio.channels.DatagramChannel", Set.of("open"),
            "java.net.URL", Set.of("openConnection", "openStream"),
            "java.net.http.HttpClient", Set.of(EVERY));

    private static final Map<String, Set<String>> PROCESS = Map.of(
            "java.lang.System", Set.of("exit", "out", "err", "in"),
            "java.lang.Runtime", Set.of("exit", "halt", "addShutdownHook", "exec"),
            "java.lang.ProcessBuilder", Set.of(NEW),
            "java.lang.Throwable", Set.of("printStackTrace"));

    static final ArchRule TIME_IS_PASSED_IN = onlyBehind(
            reach("the machine's time", TIME),
            "a lease or a timeout that reads the clock itself cannot be replayed: take the clock or scheduler of io.ecfs.env",
            REAL_ENVIRONMENT);

    static final ArchRule CHANCE_IS_PASSED_IN = noClasses()
            .that()
            .resideOutsideOfPackages(withTop(REAL_ENVIRONMENT, SIMULATION))
            .should()
            .accessTargetWhere(reach("chance", CHANCE).or(shuffleWithoutSource()))
            .because("a run is found again by its seed: take the source of randomness of io.ecfs.env");

    static final ArchRule THE_SIMULATION_DRAWS_FROM_ITS_SEED = noClasses()
            .that()
            .resideInAPackage(SIMULATION)
            .should()
            .accessTargetWhere(reach("chance", CHANCE)
                    .and(DescribedPredicate.not(seededGenerator()))
                    .or(shuffleWithoutSource()))
            .because("one number must give the whole run again");

    static final ArchRule THREADS_ARE_PASSED_IN = onlyBehind(
            reach("threads", THREADS).or(asyncOnTheCommonPool()),
            "who starts a thread must name, bound and end it, and the simulation has one thread only: take an executor of"
                    + " io.ecfs.env; a CompletableFuture's ...Async gets its executor as last argument",
            REAL_ENVIRONMENT);

    static final ArchRule FILES_ARE_BEHIND_THEIR_ADAPTERS = onlyBehind(
            reach("files", FILES).or(touchTheDiskByFile()),
            "full disks, bit flips and crashes are injected at the adapters: a file opened elsewhere is one no test can break",
            REAL_ENVIRONMENT,
            "io.ecfs.client.local..",
            "io.ecfs.client.name..",
            "io.ecfs.datanode.store.disk..",
            "io.ecfs.namenode.store.disk..",
            "io.ecfs.namenode.store.rocks..",
            "io.ecfs.namenode.log.ratis..",
            "io.ecfs.namenode.user.os..",
            "io.ecfs.config..",
            "io.ecfs.kernel..",
            "io.ecfs.webhdfs.."); // Tomcat's own directory

    static final ArchRule SOCKETS_ARE_THE_WIRES = onlyBehind(
            reach("sockets", SOCKETS),
            "all traffic has the limits, backpressure, tokens and TLS of io.ecfs.wire (over Netty)",
            REAL_ENVIRONMENT);

    static final ArchRule THE_PROCESS_IS_THE_CONSOLES = onlyBehind(
            reach("the process", PROCESS),
            "many daemons live in one process: a library logs and throws, and leaves exit, output and children to the console;"
                    + " only the groups of users come from a command",
            "io.ecfs.namenode.user.os..");

    private Doors() {}

    /** Access from the adapters ({@code doors}) and from the module on top of all others alone. */
    private static ArchRule onlyBehind(DescribedPredicate<JavaAccess<?>> reach, String because, String... doors) {
        return noClasses()
                .that(resideOutsideOfPackages(withTop(doors)))
                .should()
                .accessTargetWhere(reach)
                .because(because);
    }

    private static String[] withTop(String... doors) {
        return Stream.concat(Stream.of(TOOLS), Stream.of(doors)).toArray(String[]::new);
    }

    private static DescribedPredicate<JavaAccess<?>> reach(String what, Map<String, Set<String>> members) {
        return access(
                what,
                target -> members.entrySet().stream()
                        .filter(entry -> entry.getValue().contains(EVERY)
                                || entry.getValue().contains(target.getName()))
                        .anyMatch(entry -> target.getOwner().isAssignableTo(entry.getKey())));
    }

    private static DescribedPredicate<JavaAccess<?>> asyncOnTheCommonPool() {
        return access(
                "the common pool",
                target -> target.getOwner().isAssignableTo(CompletableFuture.class)
                        && target.getName().endsWith("Async")
                        && parameters(target).noneMatch(Executor.class.getName()::equals));
    }

    private static DescribedPredicate<JavaAccess<?>> shuffleWithoutSource() {
        return access(
                "a shuffle of its own",
                target -> target.getOwner().isEquivalentTo(java.util.Collections.class)
                        && target.getName().equals("shuffle")
                        && parameters(target).count() == 1);
    }

    private static DescribedPredicate<JavaAccess<?>> seededGenerator() {
        return access(
                "a generator with a seed",
                target -> target.getName().equals(NEW)
                        && (target.getOwner().isEquivalentTo(java.util.Random.class)
                                || target.getOwner().isEquivalentTo(java.util.SplittableRandom.class))
                        && parameters(target).count() == 1);
    }

    private static DescribedPredicate<JavaAccess<?>> touchTheDiskByFile() {
        return access(
                "the disk by java.io.File",
                target -> target.getOwner().isEquivalentTo(java.io.File.class)
                        && !PATH_ARITHMETIC.contains(target.getName()));
    }

    private static Stream<String> parameters(AccessTarget target) {
        return target instanceof AccessTarget.CodeUnitAccessTarget codeUnit
                ? codeUnit.getRawParameterTypes().stream().map(type -> type.getName())
                : Stream.empty();
    }

    private static DescribedPredicate<JavaAccess<?>> access(
            String what, java.util.function.Predicate<AccessTarget> predicate) {
        return new DescribedPredicate<>(what) {
            @Override
            public boolean test(JavaAccess<?> access) {
                return predicate.test(access.getTarget());
            }
        };
    }
}
