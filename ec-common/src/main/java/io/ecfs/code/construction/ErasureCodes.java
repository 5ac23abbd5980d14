package io.ecfs.code.construction;

import io.ecfs.code.CodeFamily;
import io.ecfs.code.CodeSpec;
import io.ecfs.code.ErasureCode;
import io.ecfs.code.Generators;
import io.ecfs.code.field.Matrix;
import io.ecfs.code.kernel.GaloisKernel;

/** Builds the code that a {@link CodeSpec} names. */
public final class ErasureCodes {
    private ErasureCodes() {}

    /**
     * A new code object; it is worth keeping, since it remembers the plans and programs of the loss patterns it has
     * met.
     */
    public static ErasureCode create(CodeSpec spec, GaloisKernel kernel) {
        return new ScheduledCode(spec, construction(spec), kernel::prepare);
    }

    static Construction construction(CodeSpec spec) {
        if (spec.family() == CodeFamily.CLAY) {
            return new ClayConstruction(spec);
        }
        Matrix generator = Generators.of(spec);
        SourceChoice choice = switch (spec.family()) {
            case LRC -> new LocalSources(spec.dataChunks(), Generators.localGroups(spec));
            case SHEC -> spec.decodesFromAny() ? SourceChoice.anyOf(spec.dataChunks()) : new SearchedSources(generator);
            default -> SourceChoice.anyOf(spec.dataChunks());
        };
        return new LinearConstruction(spec, generator, choice);
    }
}
