package io.ecfs.console.web;

import io.ecfs.client.EcfsClient;
import io.ecfs.console.web.audit.AuditLog;
import io.ecfs.console.web.live.EventStream;
import io.ecfs.console.web.live.PackSums;
import io.ecfs.console.web.live.Watch;
import io.ecfs.console.web.settings.ConsoleConfig;
import io.ecfs.console.web.user.ClientsByUser;
import io.ecfs.console.web.webhook.Webhooks;
import io.ecfs.env.Clock;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Properties;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.security.autoconfigure.SecurityAutoConfiguration;
import org.springframework.boot.security.autoconfigure.web.servlet.SecurityFilterAutoConfiguration;
import org.springframework.boot.security.autoconfigure.web.servlet.ServletWebSecurityAutoConfiguration;
import org.springframework.boot.servlet.autoconfigure.HttpEncodingAutoConfiguration;
import org.springframework.boot.tomcat.autoconfigure.servlet.TomcatServletWebServerAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.DispatcherServletAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.error.ErrorMvcAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ComponentScan;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.CacheControl;
import org.springframework.web.servlet.config.annotation.ResourceHandlerRegistry;
import org.springframework.web.servlet.config.annotation.ViewControllerRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/** The beans of the console. */
@Configuration(proxyBeanMethods = false)
@ImportAutoConfiguration({
    SslAutoConfiguration.class,
    TomcatServletWebServerAutoConfiguration.class,
    DispatcherServletAutoConfiguration.class,
    WebMvcAutoConfiguration.class,
    ErrorMvcAutoConfiguration.class,
    HttpEncodingAutoConfiguration.class,
    SecurityAutoConfiguration.class,
    ServletWebSecurityAutoConfiguration.class,
    SecurityFilterAutoConfiguration.class
})
@ComponentScan(basePackages = {"io.ecfs.console.web.api", "io.ecfs.console.web.security"})
class Parts implements WebMvcConfigurer {
    private static final String ECHARTS = "META-INF/maven/org.webjars/echarts/pom.properties";

    private final ConsoleConfig config;

    Parts(ConsoleConfig config) {
        this.config = config;
    }

    @Bean
    Watch watch(EcfsClient client, Clock clock, Webhooks webhooks) {
        return Watch.start(client, config.refresh(), clock, Path.of(config.directory(), "history"), webhooks::observe);
    }

    @Bean
    Webhooks webhooks(Clock clock) {
        return Webhooks.start(config.webhooks(), Path.of(config.directory(), "webhooks"), clock);
    }

    @Bean
    ClientsByUser clients() {
        return new ClientsByUser(config);
    }

    @Bean
    PackSums packSums(EcfsClient client, Clock clock) {
        return PackSums.start(client, config.refresh(), clock);
    }

    @Bean
    EventStream eventStream(Watch watch) {
        return new EventStream(watch);
    }

    @Bean
    AuditLog auditLog(Clock clock) {
        return new AuditLog(Path.of(config.directory()), clock);
    }

    @Override
    public void addViewControllers(ViewControllerRegistry views) {
        views.addViewController("/").setViewName("forward:/index.html");
    }

    @Override
    public void addResourceHandlers(ResourceHandlerRegistry resources) {
        resources
                .addResourceHandler("/lib/**")
                .addResourceLocations("classpath:/META-INF/resources/webjars/echarts/" + echartsVersion() + "/")
                .setCacheControl(CacheControl.noCache());
        resources
                .addResourceHandler("/**")
                .addResourceLocations(config.pages()
                        .map(directory ->
                                Path.of(directory).toAbsolutePath().toUri().toString())
                        .orElse("classpath:/io/ecfs/console/web/pages/"))
                .setCacheControl(CacheControl.noCache());
    }

    /** The version stands in the path within the jar. */
    private static String echartsVersion() {
        Properties properties = new Properties();
        try (InputStream in = Parts.class.getClassLoader().getResourceAsStream(ECHARTS)) {
            if (in == null) {
                throw new IllegalStateException("no " + ECHARTS + " on the class path");
            }
            properties.load(in);
        } catch (IOException e) {
            throw new IllegalStateException("cannot read " + ECHARTS, e);
        }
        return properties.getProperty("version");
    }
}
