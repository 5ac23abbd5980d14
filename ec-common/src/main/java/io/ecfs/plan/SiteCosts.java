package io.ecfs.plan;

/**
 * What reading costs, in any one unit; readers count in nanoseconds. The same answers as long as it is in use for one
 * question, none negative, none infinite.
 */
public interface SiteCosts {
    /** What it costs to turn to a site at all: o_j of the paper. */
    double access(int site);

    /** What each byte costs that is read at a site: m_j of the paper. */
    double perByte(int site);

    /** The same everywhere. */
    static SiteCosts uniform(double access, double perByte) {
        return new SiteCosts() {
            @Override
            public double access(int site) {
                return access;
            }

            @Override
            public double perByte(int site) {
                return perByte;
            }
        };
    }

    /** What reading one chunk costs beyond turning to its site: m_j z_i, and what is special about it. */
    default double read(Candidate candidate) {
        return perByte(candidate.site()) * candidate.bytes() + candidate.extra();
    }
}
