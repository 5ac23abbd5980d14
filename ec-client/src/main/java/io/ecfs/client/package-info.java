/** The client library: striped writing and reading of files. */
package io.ecfs.client;
