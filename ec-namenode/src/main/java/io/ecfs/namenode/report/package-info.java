/**
 * Reports of the datanodes to one namenode: liveness, load, and the chunks of each volume. Soft state of leader and
 * followers alike, raw: it is never filtered by the log's facts at the moment of arrival (HDDS-14989), but compared
 * with them when it is used. Owner thread: the namenode's event thread. Memory is in proportion to the chunks that
 * datanodes report.
 */
package io.ecfs.namenode.report;
