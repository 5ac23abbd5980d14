package io.ecfs.fault.inject;

import io.ecfs.fault.victim.StoredVolume;
import io.ecfs.fault.victim.Victims;
import java.util.List;

/**
 * The victims of one fault, as an injector finds them.
 *
 * @param names as the rule's level names them
 * @param daemons whose processes or links are hurt
 * @param volumes that are hurt; of namenodes none
 */
public record Hurt(List<String> names, List<String> daemons, List<StoredVolume> volumes) {
    public Hurt {
        names = List.copyOf(names);
        daemons = List.copyOf(daemons);
        volumes = List.copyOf(volumes);
    }

    public static Hurt of(Victims victims) {
        return new Hurt(victims.names(), victims.datanodes(), victims.volumes());
    }

    /** Of a namenode. */
    public static Hurt namenodes(List<String> ids) {
        return new Hurt(ids, ids, List.of());
    }
}
