package io.ecfs.fault.paper;

import io.ecfs.fault.profile.FaultProfile;
import java.util.Objects;

/**
 * One bar of a figure.
 *
 * @param code {@code RS} or {@code Clay}
 * @param value of what the figure varies
 * @param profile of one policy
 */
record PaperSetting(String code, String value, FaultProfile profile) {
    PaperSetting {
        Objects.requireNonNull(code, "code");
        Objects.requireNonNull(value, "value");
        Objects.requireNonNull(profile, "profile");
    }

    String label() {
        return code + " " + value;
    }
}
