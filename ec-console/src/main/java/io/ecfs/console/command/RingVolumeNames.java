package io.ecfs.console.command;

import io.ecfs.config.Nearest;
import io.ecfs.message.VolumeId;
import io.ecfs.message.report.ClusterReport;
import io.ecfs.message.report.ClusterReport.Datanode;
import io.ecfs.message.report.ClusterReport.Volume;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Names of volumes as operators write them: {@code dn1:/ssd0} by its directory, {@code v12} by its number, {@code dn1}
 * for the only volume of a datanode.
 */
final class RingVolumeNames {
    private final Map<String, VolumeId> byName = new TreeMap<>();
    private final Map<String, List<String>> ofDatanode = new TreeMap<>();

    RingVolumeNames(ClusterReport report) {
        for (Datanode datanode : report.datanodes()) {
            List<String> names = new ArrayList<>();
            for (Volume volume : datanode.volumes()) {
                byName.put(volume.id().toString(), volume.id());
                String name = datanode.id() + ":"
                        + volume.directory().orElse(volume.id().toString());
                byName.put(name, volume.id());
                names.add(name);
            }
            ofDatanode.put(datanode.id().name(), names);
        }
    }

    /** @throws IllegalArgumentException in one line, with the name that was probably meant */
    List<VolumeId> parse(List<String> names) {
        return names == null ? List.of() : names.stream().map(this::volume).toList();
    }

    private VolumeId volume(String name) {
        String wanted = name.endsWith("/") ? name.substring(0, name.length() - 1) : name;
        if (byName.containsKey(wanted)) {
            return byName.get(wanted);
        }
        List<String> own = ofDatanode.getOrDefault(wanted, List.of());
        if (own.size() == 1) {
            return byName.get(own.get(0));
        } else if (own.size() > 1) {
            throw new IllegalArgumentException(
                    "datanode " + wanted + " has " + own.size() + " volumes: name one of " + String.join(", ", own));
        }
        if (byName.isEmpty()) {
            throw new IllegalArgumentException(
                    "there is no volume '" + name + "': no datanode has registered, start one first");
        }
        throw new IllegalArgumentException(
                "there is no volume '" + name + "'; nearest is " + Nearest.to(wanted, List.copyOf(byName.keySet())));
    }
}
