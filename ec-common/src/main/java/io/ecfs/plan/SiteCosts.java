package io.ecfs.plan;

/**
 * Costs of reading, in any one unit; readers use nanoseconds. Constant while one plan is made, none negative, none
 * infinite.
 */
public interface SiteCosts {
    /** Cost of an access to a site: o_j of the paper. */
    double access(int site);

    /** Cost of each byte that is read at a site: m_j of the paper. */
    double perByte(int site);

    /** Equal costs at all sites. */
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

    /** Cost of reading one chunk beside the access to its site: m_j z_i, and its extra cost. */
    default double read(Candidate candidate) {
        return perByte(candidate.site()) * candidate.bytes() + candidate.extra();
    }
}
