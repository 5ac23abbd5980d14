/**
 * Which policy to choose, before data is written: what policies cost for given files on given machines, by arithmetic
 * alone.
 *
 * <pre>
 *   FileSet, Policy --> StoredFiles --> Loss (of one datanode) --> RecoveryModel --> RecoveryForecast
 *                            |                                                            |
 *   Goals -------------------+----------------> Advisor <---------------------------------+
 *                                                  |
 *   Candidates (policies x cells) ---------------->+--> Advice, ranked
 * </pre>
 *
 * <p>Bytes stored are exact, of packed files the least ({@link io.ecfs.layout.WriteAmplification}); bytes read are
 * those of the code's own repair plans. Times are a model: what of it is measured and what is assumed, its constants
 * say. {@link io.ecfs.advise.UpdateFrontier} has what files cost that are updated in place.
 *
 * <p>Always true: pure, the same answer to the same question; with more datanodes a recovery never takes longer.
 */
package io.ecfs.advise;
