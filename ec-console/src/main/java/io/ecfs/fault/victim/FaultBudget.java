package io.ecfs.fault.victim;

import io.ecfs.code.ChunkSet;
import io.ecfs.code.CodeSpec;
import io.ecfs.fault.profile.FaultProfile.Budget;
import io.ecfs.fault.profile.LabLoad.During;
import java.util.Collection;
import java.util.Optional;

/**
 * What may be away at a time: under a strict budget every group stays decodable, and redundant while clients write,
 * since an acknowledgement promises to survive one more loss.
 */
public record FaultBudget(Budget budget, During during) {
    /**
     * Why these volumes may not be away together; empty when they may.
     *
     * @param away all of them: of this fault and of those that last
     */
    public Optional<String> refusal(Placement placement, Collection<StoredVolume> away) {
        return budget == Budget.BEYOND
                ? Optional.empty()
                : placement.groups().stream()
                        .filter(group -> !covers(group, away))
                        .findFirst()
                        .map(group -> refusal(group, away));
    }

    private boolean covers(PlacedGroup group, Collection<StoredVolume> away) {
        ChunkSet hurt = group.on(away);
        CodeSpec code = group.policy().code();
        ChunkSet left = group.all().minus(hurt);
        return hurt.size() == 0 || (during.writes() ? code.redundant(left) : code.decodable(left));
    }

    private String refusal(PlacedGroup group, Collection<StoredVolume> away) {
        ChunkSet hurt = group.on(away);
        return "group " + group.id() + " of " + group.file() + " would keep "
                + (group.all().size() - hurt.size()) + " of " + group.policy().chunks() + " chunks (without " + hurt
                + "), and is not " + (during.writes() ? "redundant" : "decodable") + " then";
    }
}
