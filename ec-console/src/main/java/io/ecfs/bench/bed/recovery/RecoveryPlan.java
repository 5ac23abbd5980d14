package io.ecfs.bench.bed.recovery;

/**
 * One run of the bed.
 *
 * @param seed of placements, of the moment of the deaths and of all else that is drawn
 */
public record RecoveryPlan(
        StoredData data, DatanodeHardware hardware, Victims victims, RepairLimits limits, long seed) {
    public RecoveryPlan {
        int most = switch (victims.where()) {
            case SAME_RACK -> data.datanodesPerRack();
            case OTHER_RACKS, WHOLE_RACKS -> data.racks() - 1;
        };
        if (victims.count() > most) {
            throw new IllegalArgumentException("at most " + most + " die " + victims.where() + " of " + data.racks()
                    + " racks of " + data.datanodesPerRack() + " datanodes, got " + victims.count());
        }
    }

    public RecoveryPlan withSeed(long other) {
        return new RecoveryPlan(data, hardware, victims, limits, other);
    }
}
