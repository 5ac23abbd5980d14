package io.ecfs.console.web.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.config.ConfigException;
import io.ecfs.config.ConfigReader;
import io.ecfs.console.view.Severity;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WebhookTest {
    private static ConsoleConfig read(String name, String entry) {
        return ConfigReader.read(
                ConsoleConfig.class,
                "console.yaml",
                "cluster: ecfs://prod\nwebhooks: {" + name + ": {" + entry + "}}\n",
                List.of());
    }

    @Test
    void defaultsAreWarningAndCriticalWithinTenSeconds() {
        Webhook webhook =
                read("pager", "url: 'https://a.example/x?y=1'").webhooks().get("pager");
        assertThat(webhook.wanted()).containsExactlyInAnyOrder(Severity.WARNING, Severity.CRITICAL);
        assertThat(webhook.patience()).isEqualTo(Duration.ofSeconds(10));
        assertThat(webhook.secret()).isEmpty();
    }

    @Test
    void severitiesAndTimeoutAreRead() {
        Webhook webhook = read("pager", "url: 'HTTP://a:8080', severities: [info], timeout: 500ms")
                .webhooks()
                .get("pager");
        assertThat(webhook.wanted()).containsExactly(Severity.INFO);
        assertThat(webhook.patience()).isEqualTo(Duration.ofMillis(500));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "timeout: 5s|webhooks.pager.url must be given",
                "url: 'ftp://a.example/s3cret'|url must begin with http:// or https://",
                "url: 's3cret'|url must begin with http:// or https://",
                "url: 'https:///s3cret'|url has no valid host",
                "url: 'https://s3cret@a.example/'|url must have no user, password or fragment",
                "url: 'https://a.example/#s3cret'|url must have no user, password or fragment",
                "url: 'https://a example/s3cret'|url is malformed at character 8",
                "url: 'http://a', secret: s3cret|secret must have at least 16 characters",
                "url: 'http://a', severities: []|severities must name at least one",
                "url: 'http://a', severities: [grave]|expected one of info, warning, critical, got 'grave'",
                "url: 'http://a', timeout: 2m|timeout must be in [100ms, 1m]: 120000 ms",
                "url: 'http://a', severity: info|no key 'webhooks.pager.severity'; nearest is",
            })
    void aBadEntryIsRefusedInOneLine(String entry, String why) {
        assertThatThrownBy(() -> read("pager", entry))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("webhooks.pager")
                .hasMessageContaining(why)
                .hasMessageNotContainingAny("\n", "s3cret");
    }

    @Test
    void aNameThatIsNoFileIsRefused() {
        assertThatThrownBy(() -> read("'../x'", "url: 'http://a'"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("the name of a webhook has");
    }

    @Test
    void itsTextHasNoCredential() {
        Webhook webhook = read("pager", "url: 'https://a.example/s3cret', secret: s3crets3crets3cret")
                .webhooks()
                .get("pager");
        assertThat(webhook.toString()).isEqualTo("Webhook[a.example]");
    }
}
