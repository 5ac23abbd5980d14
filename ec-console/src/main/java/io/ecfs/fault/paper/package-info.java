/**
 * The figures of ECFault (Han et al., HotStorage 2024, section 4) on clusters of one's own, scaled to this machine; at
 * the paper's scale they are in {@link io.ecfs.bench.bed}.
 *
 * <pre>
 *   PaperFigures.of(word) --> PaperFigure: settings (a profile each) --> PaperRun --> medians --> rows
 * </pre>
 *
 * <p>Mapping: a host of the paper is a rack here, an OSD a datanode with one volume. Its bars have no numbers: only the
 * ratios that its text quotes are compared.
 */
package io.ecfs.fault.paper;
