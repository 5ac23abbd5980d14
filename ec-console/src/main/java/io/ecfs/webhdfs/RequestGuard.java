package io.ecfs.webhdfs;

import jakarta.servlet.http.HttpServletRequest;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.apache.hadoop.security.authorize.AuthorizationException;

/**
 * Refuses what a browser sends for a page of another site, since a request proves no user: requests with another
 * {@code Origin}, those that the browser marks as another site's (W3C Fetch Metadata: {@code Sec-Fetch-Site}), and
 * requests to a host name that is not this server's (DNS rebinding).
 */
final class RequestGuard {
    private static final Pattern ADDRESS = Pattern.compile("[0-9.]+|\\[.*]");

    /** A page of this server, and what a person typed. */
    private static final Set<String> OWN_SITE = Set.of("same-origin", "none");

    private final Set<String> names = new TreeSet<>();

    /** Of pages that a proxy in front of this server brings. */
    private final Optional<String> publicOrigin;

    RequestGuard(WebHdfsConfig config) {
        names.add("localhost");
        names.add(config.listen().host().toLowerCase(Locale.ROOT));
        config.names().forEach(name -> names.add(name.toLowerCase(Locale.ROOT)));
        config.proxy().ifPresent(proxy -> names.add(proxy.host()));
        publicOrigin = config.proxy().map(PublicUrl::origin);
        try {
            InetAddress own = InetAddress.getLocalHost();
            names.add(own.getHostName().toLowerCase(Locale.ROOT));
            names.add(own.getCanonicalHostName().toLowerCase(Locale.ROOT));
        } catch (UnknownHostException e) {
            throw new IllegalStateException("this machine does not know its own name: put it into /etc/hosts", e);
        }
    }

    /** @throws AuthorizationException for a request of another site's page */
    void check(HttpServletRequest request) throws AuthorizationException {
        String host = request.getServerName().toLowerCase(Locale.ROOT);
        if (!ADDRESS.matcher(host).matches() && !names.contains(host)) {
            throw new AuthorizationException(
                    "the request is for host " + host + ", which is none of this server's names: add it to 'names'");
        }
        String origin = request.getHeader("Origin");
        boolean otherOrigin = origin != null
                && !origin.equalsIgnoreCase(request.getScheme() + "://" + request.getHeader("Host"))
                && publicOrigin.filter(origin::equalsIgnoreCase).isEmpty();
        String site = request.getHeader("Sec-Fetch-Site");
        if (otherOrigin || (site != null && !OWN_SITE.contains(site))) {
            throw new AuthorizationException("requests of other sites' pages are refused");
        }
    }
}
