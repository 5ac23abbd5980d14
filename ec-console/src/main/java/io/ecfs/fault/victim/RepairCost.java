package io.ecfs.fault.victim;

import io.ecfs.code.ChunkSet;
import io.ecfs.code.CodeSpec;
import io.ecfs.code.ErasureCode;
import io.ecfs.code.RepairReads;
import io.ecfs.code.construction.Codes;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/** Bytes that the repair of lost volumes reads, by the repair plans of the codes; every chunk is rebuilt by itself. */
final class RepairCost {
    private final Placement placement;
    private final Codes codes;
    private final Map<Loss, Double> perByte = new HashMap<>();

    private record Loss(CodeSpec code, ChunkSet lost, ChunkSet left) {}

    RepairCost(Placement placement, Codes codes) {
        this.placement = placement;
        this.codes = codes;
    }

    /** Of volumes that leave every group decodable; groups that are not are left out. */
    double bytes(Collection<StoredVolume> lost) {
        double bytes = 0;
        for (PlacedGroup group : placement.groups()) {
            ChunkSet hurt = group.on(lost);
            ChunkSet left = group.all().minus(hurt);
            if (hurt.size() > 0 && group.policy().code().decodable(left)) {
                Loss loss = new Loss(group.policy().code(), hurt, left);
                bytes += perByte.computeIfAbsent(loss, this::perByte) * hurt.size() * group.chunkBytes();
            }
        }
        return bytes;
    }

    private double perByte(Loss loss) {
        ErasureCode code = codes.of(loss.code());
        return RepairReads.perByteTogether(code, loss.lost(), loss.left());
    }
}
