package io.ecfs.client.name;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Hashtable;
import java.util.List;
import javax.naming.Context;
import javax.naming.NameNotFoundException;
import javax.naming.NamingEnumeration;
import javax.naming.NamingException;
import javax.naming.directory.Attribute;
import javax.naming.directory.DirContext;
import javax.naming.directory.InitialDirContext;

/** DNS by the JDK's provider, which asks the servers of this machine over UDP, and TCP when an answer is too long. */
final class JndiSrvLookup implements SrvLookup {
    /** Servers that the operating system has configured. */
    static final String SYSTEM_SERVERS = "dns:";

    /** Wait for the first answer of one server, in ms; it doubles with each attempt. */
    private static final int FIRST_WAIT_MILLIS = 500;

    /** So a server that is silent costs 1.5 s. */
    private static final int ATTEMPTS = 2;

    private static final String TYPE = "SRV";

    private final String servers;

    /** @param servers URL of the provider: {@link #SYSTEM_SERVERS}, or {@code dns://host:port} */
    JndiSrvLookup(String servers) {
        this.servers = servers;
    }

    @Override
    public List<SrvRecord> lookup(String name) throws IOException {
        try {
            DirContext dns = new InitialDirContext(environment());
            try {
                return records(attribute(dns, name));
            } finally {
                dns.close();
            }
        } catch (NameNotFoundException e) {
            return List.of();
        } catch (NamingException | IllegalArgumentException e) {
            throw new IOException(reason(e), e);
        }
    }

    /** Neither of these names a class: an answer has text alone, and nothing is deserialized. */
    @SuppressWarnings("BanJNDI")
    private static Attribute attribute(DirContext dns, String name) throws NamingException {
        return dns.getAttributes(name, new String[] {TYPE}).get(TYPE);
    }

    @SuppressWarnings("JdkObsolete") // the type that InitialDirContext takes
    private Hashtable<String, String> environment() {
        Hashtable<String, String> environment = new Hashtable<>();
        environment.put(Context.INITIAL_CONTEXT_FACTORY, "com.sun.jndi.dns.DnsContextFactory");
        environment.put(Context.PROVIDER_URL, servers);
        environment.put("com.sun.jndi.dns.timeout.initial", String.valueOf(FIRST_WAIT_MILLIS));
        environment.put("com.sun.jndi.dns.timeout.retries", String.valueOf(ATTEMPTS));
        return environment;
    }

    private static List<SrvRecord> records(Attribute found) throws NamingException {
        List<SrvRecord> records = new ArrayList<>();
        if (found != null) {
            NamingEnumeration<?> values = found.getAll();
            while (values.hasMore()) {
                records.add(SrvRecord.parse(String.valueOf(values.next())));
            }
        }
        return records;
    }

    private static String reason(Exception failure) {
        Throwable cause = failure.getCause() == null ? failure : failure.getCause();
        String message = cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
        return message.lines().findFirst().orElse("").strip();
    }
}
