/**
 * WebHDFS: the REST calls of HDFS (Hadoop 3.4, "WebHDFS REST API") over Hadoop's file system interface of
 * {@link io.ecfs.hadoop}, for curl, Hue, and clusters whose Hadoop has no ECFS jar.
 *
 * <pre>
 *   request --> RequestGuard, Callers --> Operations: verb, op --> parameters, handler --> WebHdfsAnswer
 *                    |                        |                          |
 *                    '------ failure ---------+---- failure -------------+--> RemoteFailure: status, JSON
 * </pre>
 *
 * <p>Threads: one of Tomcat's for each request, for as long as its bytes take. What always holds: a request has the
 * rights of the user whom it names, by a client of that user; bytes of a download go to the socket from where they were
 * read, those of an upload through one buffer; the file of an upload is closed however the upload ends.
 */
package io.ecfs.webhdfs;
