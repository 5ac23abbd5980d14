package io.ecfs.console.web.offence;

/** Uses what runs fault experiments, which the console only shows. */
public final class RunsFaults {
    static Class<?> lab() {
        return io.ecfs.fault.lab.FaultLab.class;
    }
}
