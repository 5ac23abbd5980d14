/**
 * What one namenode has heard from the datanodes: signs of life, load, and which chunks lie on which volume. Soft
 * state, held by leader and followers alike, raw: it is never filtered by what the log says at the moment of arrival
 * (HDDS-14989), it is compared with the log's facts when it is used. Owner thread: the namenode's event thread. Memory
 * is in proportion to the chunks that datanodes report.
 */
package io.ecfs.namenode.report;
