/** Tests of what writers share. */
package io.ecfs.client.write;
