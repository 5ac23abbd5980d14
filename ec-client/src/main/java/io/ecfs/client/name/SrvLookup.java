package io.ecfs.client.name;

import java.io.IOException;
import java.util.List;

/** Port to DNS: service records of a name. */
public interface SrvLookup {
    /**
     * Records of a name, in any order; none when there are none.
     *
     * @param name absolute, without the dot at its end
     * @throws IOException when no server answers in time, or one refuses or fails
     */
    List<SrvRecord> lookup(String name) throws IOException;
}
