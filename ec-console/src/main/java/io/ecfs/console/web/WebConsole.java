package io.ecfs.console.web;

import io.ecfs.client.ClusterUri;
import io.ecfs.client.EcfsClient;
import io.ecfs.client.Identity;
import io.ecfs.config.PemFiles;
import io.ecfs.console.web.settings.ConsoleConfig;
import io.ecfs.console.web.settings.ConsoleTls;
import io.ecfs.console.web.user.ClientsByUser;
import io.ecfs.env.Clock;
import io.ecfs.env.real.PrivateFiles;
import io.ecfs.error.EcfsException;
import io.ecfs.message.Address;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.regex.Pattern;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.MutablePropertySources;
import org.springframework.core.env.StandardEnvironment;

/** A running console. */
public final class WebConsole implements AutoCloseable {
    private static final String BUNDLE = "console";

    private final ConfigurableApplicationContext context;
    private final EcfsClient client;
    private final Address address;
    private final boolean tls;

    private WebConsole(ConfigurableApplicationContext context, EcfsClient client, Address address, boolean tls) {
        this.context = context;
        this.client = client;
        this.address = address;
        this.tls = tls;
    }

    /**
     * Returns when it serves; the cluster need not answer yet.
     *
     * @throws EcfsException when other users may write to its directory, a file of its TLS or of its client's cannot be
     *     used, or a viewer would ask the namenodes as the console's own user
     */
    public static WebConsole start(ConsoleConfig config, Clock clock) throws IOException {
        PrivateFiles.createDirectory(Path.of(config.directory()));
        PrivateFiles.denyOthers(Path.of(config.directory()));
        if (config.tls().isPresent()) {
            ConsoleTls tls = config.tls().get();
            PemFiles.key("tls.key", tls.key(), PemFiles.chain("tls.certificate", tls.certificate())[0]);
        }
        ClientsByUser.requireNames(config.accounts(), Identity.ofThisProcess());
        EcfsClient client =
                EcfsClient.connect(ClusterUri.resolve(config.cluster()), config.client(), Identity.ofThisProcess());
        try {
            // Logging is ours: Spring Boot would configure it anew, and a person who starts this need not read how
            // Tomcat does.
            System.setProperty("org.springframework.boot.logging.LoggingSystem", "none");
            LogManager.getLogManager().getLogger("").setLevel(Level.WARNING);
            SpringApplication application = new SpringApplication(Parts.class);
            application.setWebApplicationType(WebApplicationType.SERVLET);
            application.setBannerMode(org.springframework.boot.Banner.Mode.OFF);
            application.setRegisterShutdownHook(false);
            application.setLogStartupInfo(false);
            application.setEnvironment(new NothingElse());
            application.addInitializers(context -> {
                context.getBeanFactory().registerSingleton("consoleConfig", config);
                context.getBeanFactory().registerSingleton("ecfsClient", client);
                context.getBeanFactory().registerSingleton("clock", clock);
            });
            ConfigurableApplicationContext context = application.run(arguments(properties(config)));
            int port = ((ServletWebServerApplicationContext) context)
                    .getWebServer()
                    .getPort();
            return new WebConsole(
                    context,
                    client,
                    new Address(config.listen().host(), port),
                    config.tls().isPresent());
        } catch (RuntimeException e) {
            client.close();
            throw e;
        }
    }

    /**
     * Without the environment's variables and the system's properties: {@code SERVER_ADDRESS}, meant for another
     * program, must not decide where this one listens.
     */
    private static final class NothingElse extends StandardEnvironment {
        @Override
        protected void customizePropertySources(MutablePropertySources sources) {
            // None: SpringApplication adds its arguments, and those are all.
        }
    }

    /** Arguments win over all other sources, such as an {@code application.properties} in the working directory. */
    private static String[] arguments(Map<String, Object> properties) {
        return properties.entrySet().stream()
                .map(property -> "--" + property.getKey() + "=" + property.getValue())
                .toArray(String[]::new);
    }

    private static Map<String, Object> properties(ConsoleConfig config) {
        Map<String, Object> properties = new TreeMap<>();
        properties.put("spring.config.location", "optional:classpath:/none/");
        properties.put("server.address", config.listen().host());
        properties.put("server.port", config.listen().port());
        properties.put("server.shutdown", "immediate");
        properties.put("server.compression.enabled", "true");
        properties.put("server.compression.mime-types", "text/html,text/css,text/javascript,application/json");
        properties.put("server.tomcat.threads.max", "64");
        properties.put("server.tomcat.threads.min-spare", "2");
        properties.put("server.tomcat.max-connections", "512");
        properties.put("server.tomcat.accept-count", "64");
        properties.put("server.max-http-request-header-size", "16KB");
        properties.put("server.servlet.session.timeout", config.sessionIdle().toSeconds() + "s");
        properties.put("server.servlet.session.tracking-modes", "cookie");
        properties.put("server.servlet.session.cookie.name", config.cookie("ECFS_CONSOLE"));
        properties.put("server.servlet.session.cookie.http-only", "true");
        properties.put("server.servlet.session.cookie.same-site", "strict");
        config.proxy().ifPresent(proxy -> {
            properties.put("server.forward-headers-strategy", "native");
            properties.put("server.tomcat.remoteip.internal-proxies", Pattern.quote(proxy));
        });
        properties.put("server.servlet.session.cookie.secure", config.secure());
        config.tls().ifPresent(tls -> {
            String bundle = "spring.ssl.bundle.pem." + BUNDLE + ".";
            properties.put(bundle + "keystore.certificate", location(tls.certificate()));
            properties.put(bundle + "keystore.private-key", location(tls.key()));
            properties.put(bundle + "reload-on-update", "true");
            properties.put("spring.ssl.bundle.watch.file.quiet-period", "1s");
            properties.put("server.ssl.bundle", BUNDLE);
            properties.put("server.ssl.enabled-protocols", "TLSv1.3,TLSv1.2");
        });
        properties.put("server.error.whitelabel.enabled", "false");
        properties.put("spring.web.error.whitelabel.enabled", "false");
        properties.put("spring.servlet.multipart.enabled", "false");
        properties.put("spring.mvc.formcontent.filter.enabled", "false");
        properties.put("spring.main.lazy-initialization", "false");
        properties.put("spring.jmx.enabled", "false");
        properties.put("spring.web.resources.add-mappings", "false");
        return properties;
    }

    private static String location(Path file) {
        return file.toAbsolutePath().toUri().toString();
    }

    /** The listener's address, with its actual port. */
    public Address address() {
        return address;
    }

    /** For a person. */
    public String url() {
        return (tls ? "https://" : "http://") + address + "/";
    }

    @Override
    public void close() {
        context.close();
        client.close();
    }
}
