package io.ecfs.sim.network;

/**
 * How bad the simulated network is at the moment, in tenths of a percent of messages.
 *
 * @param breaks a message after which its connection breaks: what is under way is lost or comes late, and the caller
 *     does not know which
 * @param repeats a request that comes once more, some time later
 * @param slow a message that takes up to seconds instead of about a millisecond
 */
public record NetworkWeather(int breaks, int repeats, int slow) {
    static final NetworkWeather FAIR = new NetworkWeather(0, 0, 0);
}
