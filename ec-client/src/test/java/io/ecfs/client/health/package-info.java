/** Tests of what the client measures of datanodes. */
package io.ecfs.client.health;
