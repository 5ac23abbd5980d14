package io.ecfs.console.web.api;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ecfs.console.view.Json;
import io.ecfs.fault.lab.ExperimentResult;
import io.ecfs.fault.lab.InjectedFault;
import io.ecfs.fault.lab.Sensitivity;
import io.ecfs.fault.record.Phase;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Results of fault experiments for the page that draws them. */
final class ExperimentJson {
    private static final double MILLIS = 1e3;

    private ExperimentJson() {}

    static ObjectNode of(ExperimentResult result) {
        ObjectNode json = Json.node();
        json.put("policy", result.policy().name());
        json.put("repetition", result.repetition());
        ObjectNode settings = json.putObject("settings");
        result.settings().forEach(settings::put);
        ArrayNode phases = json.putArray("phases");
        for (Phase phase : Phase.values()) {
            result.phases()
                    .seconds(phase)
                    .ifPresent(seconds ->
                            phases.addObject().put("phase", phase.name()).put("seconds", seconds));
        }
        json.put("totalSeconds", result.phases().totalSeconds());
        json.put("checkingShare", result.phases().checkingShare());
        json.put("chunksRepaired", result.repaired());
        json.put("bytesRepaired", result.repairedBytes());
        json.put("readPerByte", result.readPerByte());
        json.put("bytesPerSecond", result.bytesPerSecond());
        json.put("lostGroups", result.lostGroups());
        ArrayNode faults = json.putArray("faults");
        result.faults().forEach(fault -> faults.add(fault(fault)));
        map(json, result);
        texts(json.putArray("problems"), result.problems());
        return json;
    }

    private static ObjectNode fault(InjectedFault fault) {
        ObjectNode json = Json.node();
        json.put("fault", fault.fault().word());
        texts(json.putArray("victims"), fault.victims());
        json.put("lastedSeconds", (fault.undoneMillis() - fault.injectedMillis()) / MILLIS);
        ObjectNode losses = json.putObject("groupsByLosses");
        fault.lossesPerGroup().forEach((lost, groups) -> losses.put(String.valueOf(lost), groups));
        json.put("leastSpare", fault.leastSpare());
        return json;
    }

    /** The cluster's racks with what hurt each datanode, and the victims that are no part of one: namenodes. */
    private static void map(ObjectNode json, ExperimentResult result) {
        Set<String> placed = new HashSet<>();
        ArrayNode racks = json.putArray("racks");
        for (Map.Entry<String, List<String>> rack : result.racks().entrySet()) {
            ObjectNode one = racks.addObject();
            one.put("rack", rack.getKey());
            ArrayNode datanodes = one.putArray("datanodes");
            for (String datanode : rack.getValue()) {
                ArrayNode faults = datanodes.addObject().put("name", datanode).putArray("faults");
                for (InjectedFault fault : result.faults()) {
                    for (String victim : fault.victims()) {
                        if (victim.equals(rack.getKey())
                                || victim.equals(datanode)
                                || victim.startsWith(datanode + "/")) {
                            placed.add(victim);
                            faults.add(fault.fault().word() + (victim.equals(datanode) ? "" : " of " + victim));
                        }
                    }
                }
            }
        }
        texts(
                json.putArray("otherVictims"),
                result.faults().stream()
                        .flatMap(fault -> fault.victims().stream())
                        .filter(victim -> !placed.contains(victim))
                        .distinct()
                        .toList());
    }

    static ObjectNode of(Sensitivity one) {
        ObjectNode json = Json.node();
        json.put("setting", one.setting());
        json.put("best", one.best());
        json.put("bestSeconds", one.bestSeconds());
        json.put("worst", one.worst());
        json.put("worstSeconds", one.worstSeconds());
        json.put("spread", one.spread());
        return json;
    }

    private static void texts(ArrayNode array, Collection<String> texts) {
        texts.forEach(array::add);
    }
}
