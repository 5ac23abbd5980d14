package io.ecfs.console.command;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/**
 * What {@code ecfs --version} prints: the version the build wrote into {@code build.properties}, and the JDK that runs
 * it.
 */
final class BuildVersion implements IVersionProvider {

    @Override
    public String[] getVersion() {
        return new String[] {"ecfs " + ecfs(), "jdk  " + Runtime.version()};
    }

    static String ecfs() {
        try (InputStream in = BuildVersion.class.getResourceAsStream("build.properties")) {
            Properties build = new Properties();
            build.load(in);
            return build.getProperty("version");
        } catch (IOException e) {
            throw new UncheckedIOException("build.properties of this build cannot be read", e);
        }
    }
}
