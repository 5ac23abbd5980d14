package io.ecfs.torture.fault.driver;

import io.ecfs.torture.fault.Fault;
import io.ecfs.torture.fault.Shape;
import io.ecfs.torture.fault.disk.BadSector;
import io.ecfs.torture.fault.disk.FailingSync;
import io.ecfs.torture.fault.disk.FlipBit;
import io.ecfs.torture.fault.disk.FullDisk;
import io.ecfs.torture.fault.disk.RollBack;
import io.ecfs.torture.fault.disk.RottenBit;
import io.ecfs.torture.fault.disk.SwapChunks;
import io.ecfs.torture.fault.disk.Unmount;
import io.ecfs.torture.fault.disk.WipeInTurn;
import io.ecfs.torture.fault.disk.WipeNamenode;
import io.ecfs.torture.fault.machine.Blackout;
import io.ecfs.torture.fault.machine.CutLink;
import io.ecfs.torture.fault.machine.PowerLoss;
import io.ecfs.torture.fault.machine.StepClock;
import io.ecfs.torture.fault.process.Freeze;
import io.ecfs.torture.fault.process.Kill;
import io.ecfs.torture.fault.process.KillAll;
import io.ecfs.torture.fault.request.BalanceVolumes;
import io.ecfs.torture.fault.request.CallStorm;
import io.ecfs.torture.fault.request.Drain;
import io.ecfs.torture.fault.request.Maintenance;
import io.ecfs.torture.fault.request.MoverFault;
import io.ecfs.torture.fault.request.SafeModeFault;
import io.ecfs.torture.fault.request.Throttle;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;

/** All faults there are. */
public final class Faults {
    /** After this one, what was not synced may be gone. */
    public static final Fault BLACKOUT = new Blackout();

    private static final List<Fault> ALL = List.of(
            new Kill(Fault.Victim.DATANODE),
            new Kill(Fault.Victim.LEADER),
            new Kill(Fault.Victim.NAMENODE),
            new Kill(Fault.Victim.CLIENT),
            new KillAll(),
            new Freeze(Fault.Victim.DATANODE),
            new Freeze(Fault.Victim.LEADER),
            new Freeze(Fault.Victim.CLIENT),
            new FlipBit("data"),
            new FlipBit("sum"),
            new SwapChunks(),
            new WipeNamenode(),
            new WipeInTurn(),
            new RollBack(),
            new Drain(),
            new Maintenance(),
            new BalanceVolumes(),
            new SafeModeFault(),
            new MoverFault(),
            new Throttle(),
            new CallStorm(),
            new PowerLoss(),
            BLACKOUT,
            new BadSector(),
            new RottenBit("data"),
            new RottenBit("sum"),
            new FailingSync(),
            new FullDisk(),
            new Unmount(),
            new StepClock(Fault.Victim.DATANODE),
            new StepClock(Fault.Victim.LEADER),
            new CutLink(Fault.Victim.CLIENT),
            new CutLink(Fault.Victim.DATANODE));

    private Faults() {}

    /** Those that can be done to a shape, by their names. */
    public static List<Fault> of(Shape shape) {
        return ALL.stream().filter(fault -> fault.shapes().contains(shape)).toList();
    }

    /**
     * Those of these names.
     *
     * @throws IllegalArgumentException for a name that no fault of the shape has
     */
    public static List<Fault> named(List<String> names, Shape shape) {
        List<Fault> faults = new ArrayList<>();
        for (String name : names) {
            faults.add(of(shape).stream()
                    .filter(fault -> fault.name().equals(name))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("no fault '" + name + "' for --shape "
                            + shape.name().toLowerCase(java.util.Locale.ROOT) + "; there are " + names(of(shape)))));
        }
        return faults;
    }

    /** These in an order of chance. */
    public static List<Fault> shuffled(List<Fault> faults, SplittableRandom random) {
        List<Fault> left = new ArrayList<>(faults);
        List<Fault> shuffled = new ArrayList<>(left.size());
        while (!left.isEmpty()) {
            shuffled.add(left.remove(random.nextInt(left.size())));
        }
        return shuffled;
    }

    /** Datanodes that some of these leave with wrong bytes until that is noticed: so many fewer may be away. */
    public static int rotten(List<Fault> faults) {
        return faults.stream().anyMatch(fault -> fault.victim() == Fault.Victim.ROTTEN) ? 1 : 0;
    }

    /** Their names, for people. */
    public static String names(List<Fault> faults) {
        return faults.stream().map(Fault::name).collect(Collectors.joining(", "));
    }
}
