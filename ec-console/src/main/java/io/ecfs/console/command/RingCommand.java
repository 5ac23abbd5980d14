package io.ecfs.console.command;

import io.ecfs.client.ClusterAdmin;
import io.ecfs.client.EcfsClient;
import io.ecfs.console.command.option.ClusterOption;
import io.ecfs.console.command.option.TimeSpan;
import io.ecfs.message.VolumeId;
import io.ecfs.message.namespace.NamespaceRequest.DropRing.Remaining;
import io.ecfs.message.namespace.NamespaceRequest.SetRing;
import io.ecfs.message.ring.RingState;
import io.ecfs.wire.Await;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Rings of volumes that take turns in writing. */
@Command(
        name = "ring",
        description = {
            "Rings: volumes that take turns in writing, so that reads of the others are as fast as on an idle device.",
            "Each volume has a colour; so many colours write at a time, and after each period the next one begins."
        },
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Examples:",
            "  ecfs ring create flash --colours 6 --writers 3 --period 10s --volumes dn1:/ssd0,dn2:/ssd0,...",
            "  ecfs ec set rs-3-3-64k /hot --ring flash    new files below /hot",
            "  ecfs ring status flash",
            "  ecfs ring set flash --writers auto",
            "  ecfs ring drop flash --drain"
        })
final class RingCommand implements Runnable {
    private static final String AUTO = "auto";

    @Spec
    private CommandSpec spec;

    /** Name of a ring that is there. */
    static final class RingName {
        @Parameters(paramLabel = "NAME", description = "Of the ring.")
        private String name;
    }

    /** Volumes that are to be in a ring, by their names. */
    static final class NewVolumes {
        @Option(
                names = "--volumes",
                split = ",",
                paramLabel = "VOLUME",
                description = "Each gets a colour; a ring needs at least one of each.")
        private List<String> volumes;

        @Option(
                names = "--spares",
                split = ",",
                paramLabel = "VOLUME",
                description = "Each takes the colour of a volume that fails.")
        private List<String> spares;
    }

    /** Where the groups of a ring go that is dropped. */
    static final class RemainingGroups {
        @Option(
                names = "--drain",
                required = true,
                description = "Move them to volumes of no ring first, as those of a datanode that is decommissioned;"
                        + " the ring is gone when it has none.")
        private boolean drain;

        @Option(
                names = "--in-place",
                required = true,
                description = "Leave them on its volumes, which are ordinary ones at once; ends a --drain, too.")
        private boolean inPlace;

        private Remaining remaining() {
            return inPlace ? Remaining.KEEP : drain ? Remaining.MOVE : Remaining.REFUSE;
        }
    }

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(),
                "Which of create, list, status, set, add, remove, pause, resume, drop? See ecfs ring --help.");
    }

    @Command(
            description = {
                "Make a ring of volumes that hold no chunks; other files' chunks are no longer placed on them.",
                "A volume is called DATANODE:DIRECTORY, by its number as v12, or by its datanode where that has one.",
                "Volumes get the colours in turn: list them so that each datanode has few colours."
            },
            mixinStandardHelpOptions = true,
            footer = {
                "",
                "Examples:",
                "  ecfs ring create flash --colours 6 --writers 3 --period 10s"
                        + " --volumes dn1:/ssd0,dn2:/ssd0,dn3:/ssd0,dn4:/ssd0,dn5:/ssd0,dn6:/ssd0 --spares dn7:/ssd0",
                "  ecfs ring create flash --colours 6 --writers auto --volumes dn1,dn2,dn3,dn4,dn5,dn6"
            })
    int create(
            @Mixin ClusterOption cluster,
            @Parameters(paramLabel = "NAME", description = "Of the new ring.") String name,
            @Option(
                            names = "--colours",
                            required = true,
                            paramLabel = "N",
                            description = "As many as the code of its files has chunks, as a rule.")
                    int colours,
            @Option(
                            names = "--writers",
                            required = true,
                            paramLabel = "W",
                            description = "Colours that write at a time, at most the parity chunks of the code where it"
                                    + " has as many chunks as there are colours; or auto: by demand.")
                    String writers,
            @Option(
                            names = "--period",
                            defaultValue = "10s",
                            converter = TimeSpan.class,
                            paramLabel = "TIME",
                            description = "Between two turns, at least 1 s; ${DEFAULT-VALUE} if not given.")
                    Duration period,
            @Mixin NewVolumes added)
            throws Exception {
        Optional<Integer> fixed = writers(writers).filter(count -> count != SetRing.AUTO);
        if (added.volumes == null) {
            throw new ParameterException(spec.commandLine(), "Which volumes? Name at least one a colour: --volumes");
        }
        return change(
                cluster,
                name,
                (admin, names) -> admin.createRing(
                        name, colours, fixed, period, names.parse(added.volumes), names.parse(added.spares)));
    }

    @Command(
            description = "All rings.",
            mixinStandardHelpOptions = true,
            footer = {"", "Examples:", "  ecfs ring list"})
    int list(@Mixin ClusterOption cluster, @Option(names = "--json", description = "For scripts.") boolean json)
            throws Exception {
        return cluster.show(
                spec.commandLine().getOut(),
                json,
                client -> Await.result(client.admin().rings()),
                RingTables::list);
    }

    @Command(
            description = "A ring with its position, and the role of each volume.",
            mixinStandardHelpOptions = true,
            footer = {"", "Examples:", "  ecfs ring status flash", "  ecfs ring status flash --json | jq .position"})
    int status(
            @Mixin ClusterOption cluster,
            @Mixin RingName ring,
            @Option(names = "--json", description = "For scripts.") boolean json)
            throws Exception {
        return cluster.show(
                spec.commandLine().getOut(), json, client -> find(client.admin(), ring.name), RingTables::status);
    }

    @Command(
            description = {
                "Change the writers or the period of a ring.",
                "More writers are refused when groups of the ring could not be read without a volume that writes."
            },
            mixinStandardHelpOptions = true,
            footer = {
                "",
                "Examples:",
                "  ecfs ring set flash --writers 2",
                "  ecfs ring set flash --writers auto --period 20s"
            })
    int set(
            @Mixin ClusterOption cluster,
            @Mixin RingName ring,
            @Option(names = "--writers", paramLabel = "W", description = "A number, or auto.") String writers,
            @Option(
                            names = "--period",
                            converter = TimeSpan.class,
                            paramLabel = "TIME",
                            description = "Between two turns, 1 s to 1 h.")
                    Duration period)
            throws Exception {
        if (writers == null && period == null) {
            throw new ParameterException(spec.commandLine(), "What to set: --writers, --period, or both?");
        }
        Optional<Integer> wanted = Optional.ofNullable(writers).flatMap(this::writers);
        return change(
                cluster,
                ring.name,
                (admin, names) -> admin.setRing(ring.name, wanted, Optional.ofNullable(period), Optional.empty()));
    }

    @Command(
            description = "Add volumes that hold no chunks, each to the colour that has fewest, or as spares.",
            mixinStandardHelpOptions = true,
            footer = {"", "Examples:", "  ecfs ring add flash --volumes dn7:/ssd0 --spares dn8:/ssd0"})
    int add(@Mixin ClusterOption cluster, @Mixin RingName ring, @Mixin NewVolumes added) throws Exception {
        if (added.volumes == null && added.spares == null) {
            throw new ParameterException(spec.commandLine(), "What to add: --volumes, --spares, or both?");
        }
        return change(
                cluster,
                ring.name,
                (admin, names) -> admin.assignVolumes(
                        ring.name, names.parse(added.volumes), names.parse(added.spares), List.of()));
    }

    @Command(
            description = {
                "Take volumes out of a ring. Their chunks are moved to others of the ring first; status shows them as"
                        + " leaving until then.",
                "The last volume of a colour leaves only when a spare, or one of --instead, takes its place."
            },
            mixinStandardHelpOptions = true,
            footer = {
                "",
                "Examples:",
                "  ecfs ring remove flash --volumes dn3:/ssd0",
                "  ecfs ring remove flash --volumes dn3:/ssd0 --instead dn9:/ssd0"
            })
    int remove(
            @Mixin ClusterOption cluster,
            @Mixin RingName ring,
            @Option(
                            names = "--volumes",
                            required = true,
                            split = ",",
                            paramLabel = "VOLUME",
                            description = "Spares or others.")
                    List<String> volumes,
            @Option(
                            names = "--instead",
                            split = ",",
                            paramLabel = "VOLUME",
                            description = "Volumes to add with the same change.")
                    List<String> instead)
            throws Exception {
        return change(cluster, ring.name, (admin, names) -> {
            List<VolumeId> spares = names.parse(instead);
            return admin.assignVolumes(ring.name, List.of(), spares, names.parse(volumes));
        });
    }

    @Command(
            description = "Stop the turns: all volumes of the ring write at once, as those of no ring.",
            mixinStandardHelpOptions = true,
            footer = {"", "Examples:", "  ecfs ring pause flash"})
    int pause(@Mixin ClusterOption cluster, @Mixin RingName ring) throws Exception {
        return change(
                cluster,
                ring.name,
                (admin, names) -> admin.setRing(ring.name, Optional.empty(), Optional.empty(), Optional.of(true)));
    }

    @Command(
            description = "Let the volumes of a ring take turns again.",
            mixinStandardHelpOptions = true,
            footer = {"", "Examples:", "  ecfs ring resume flash"})
    int resume(@Mixin ClusterOption cluster, @Mixin RingName ring) throws Exception {
        return change(
                cluster,
                ring.name,
                (admin, names) -> admin.setRing(ring.name, Optional.empty(), Optional.empty(), Optional.of(false)));
    }

    @Command(
            description = {
                "Remove a ring; its volumes are ordinary ones again, and no data is lost.",
                "Refused while a directory names it ('ecfs ec set POLICY DIR --ring none' ends that), as Ceph refuses"
                        + " to remove a rule that a pool uses, and while it has groups, unless you say where they go."
            },
            mixinStandardHelpOptions = true,
            footer = {
                "",
                "Examples:",
                "  ecfs ring drop flash",
                "  ecfs ring drop flash --in-place",
                "  ecfs ring drop flash --drain && ecfs ring status flash"
            })
    int drop(@Mixin ClusterOption cluster, @Mixin RingName ring, @ArgGroup RemainingGroups groups) throws Exception {
        Remaining remaining = groups == null ? Remaining.REFUSE : groups.remaining();
        try (EcfsClient client = cluster.connect()) {
            Await.result(client.admin().dropRing(ring.name, remaining));
            PrintWriter out = spec.commandLine().getOut();
            boolean gone = Await.result(client.admin().rings()).stream()
                    .noneMatch(present -> present.name().equals(ring.name));
            out.println("ring " + ring.name
                    + (gone
                            ? " is dropped"
                            : " is being dropped: its groups move, see 'ecfs ring status " + ring.name + "'"));
            out.flush();
        }
        return 0;
    }

    private interface Change {
        CompletableFuture<Void> request(ClusterAdmin admin, RingVolumeNames names) throws Exception;
    }

    private int change(ClusterOption cluster, String name, Change change) throws Exception {
        try (EcfsClient client = cluster.connect()) {
            ClusterAdmin admin = client.admin();
            Await.result(change.request(admin, new RingVolumeNames(Await.result(admin.report()))));
            PrintWriter out = spec.commandLine().getOut();
            RingTables.list(out, List.of(find(admin, name)));
            out.flush();
        }
        return 0;
    }

    private static RingState find(ClusterAdmin admin, String name) throws Exception {
        return RingState.named(Await.result(admin.rings()), name);
    }

    private Optional<Integer> writers(String text) {
        if (text.equals(AUTO)) {
            return Optional.of(SetRing.AUTO);
        }
        try {
            int count = Integer.parseInt(text);
            if (count > 0) {
                return Optional.of(count);
            }
        } catch (NumberFormatException e) {
            throw new ParameterException(spec.commandLine(), badWriters(text, AUTO), e);
        }
        throw new ParameterException(spec.commandLine(), badWriters(text, "1"));
    }

    private static String badWriters(String text, String nearest) {
        return "--writers takes a number from 1 on, or auto, not '" + text + "': nearest is " + nearest;
    }
}
