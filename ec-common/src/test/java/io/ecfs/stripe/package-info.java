/** Measurements of stripes. */
package io.ecfs.stripe;
