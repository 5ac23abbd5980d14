package io.ecfs.webhdfs;

import java.net.URI;
import java.util.Locale;

/**
 * Where clients reach WebHDFS through a proxy, such as one with TLS: redirects lead there.
 *
 * @param base {@code https://host:port/path}: what is in front of {@code /webhdfs/v1}
 */
record PublicUrl(URI base) {
    PublicUrl {
        boolean http = "https".equals(base.getScheme()) || "http".equals(base.getScheme());
        if (!http
                || base.getHost() == null
                || base.getRawUserInfo() != null
                || base.getRawQuery() != null
                || base.getRawFragment() != null
                || base.getPath().endsWith("/")) {
            throw new IllegalArgumentException("publicUrl must be https://host:port or https://host:port/path, with"
                    + " what is in front of /webhdfs/v1, not '" + base + "'");
        }
    }

    /** @throws IllegalArgumentException for what is no such URL */
    static PublicUrl parse(String text) {
        return new PublicUrl(URI.create(text));
    }

    String host() {
        return base.getHost().toLowerCase(Locale.ROOT);
    }

    /** Origin of pages there (RFC 6454). */
    String origin() {
        return base.getScheme() + "://" + base.getRawAuthority();
    }

    /** The file system there, as Hadoop names it. */
    String fileSystem() {
        return ("https".equals(base.getScheme()) ? "swebhdfs" : "webhdfs") + "://" + base.getRawAuthority();
    }

    /** @param path of a request, from {@code /webhdfs/v1} on */
    String of(String path) {
        return base + path;
    }
}
