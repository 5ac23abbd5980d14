/** Measurements of stripes. */
package io.ecfs.client.write.stripe;
