package io.ecfs.console.forecast;

import io.ecfs.advise.RecoveryTuning;
import io.ecfs.client.base.PackConfig;
import io.ecfs.console.view.PackingChoice;
import io.ecfs.namenode.settings.NamenodeSettings;
import java.time.Duration;
import java.util.Optional;

/**
 * What an advice about policies takes where nothing is given, the same for the command and the console. Texts are those
 * that options of the command line read.
 */
public final class AdviceDefaults {
    /** Losses to tolerate. */
    public static final String LOSSES_TEXT = "2";

    /** Of the disks of one datanode. */
    public static final String DISK_TEXT = "250MB/s";

    public static final String NETWORK_TEXT = "10Gbit";

    public static final String PACK_TEXT = "default";

    /** Codes that are shown where not all are wanted. */
    public static final int ROWS = 12;

    private AdviceDefaults() {}

    /**
     * As namenodes are set without a configuration.
     *
     * @param grace empty: theirs
     */
    public static RecoveryTuning tuning(Optional<Duration> grace) {
        NamenodeSettings usual = NamenodeSettings.defaults();
        return new RecoveryTuning(
                usual.silence().suspectAfter(),
                grace.orElseGet(() -> usual.recovery().grace()),
                usual.recovery().atOnce(),
                usual.recovery().perDatanode());
    }

    /**
     * Length up to which files share groups, 0: none does.
     *
     * @param pack as {@link PackingChoice#parse} reads it; "default": as clients do
     */
    public static long packedUpTo(String pack) {
        return PackingChoice.parse(pack).upTo().orElseGet(() ->
                (long) PackConfig.defaults().most());
    }
}
