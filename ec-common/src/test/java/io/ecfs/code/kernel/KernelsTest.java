package io.ecfs.code.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class KernelsTest {
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();

    @BeforeEach
    void listen() {
        log.start();
        ((Logger) LoggerFactory.getLogger(Kernels.class)).addAppender(log);
    }

    @AfterEach
    void stopListening() {
        ((Logger) LoggerFactory.getLogger(Kernels.class)).detachAppender(log);
    }

    private record Offer(String name, int rank, KernelProvider.Loading load) implements KernelProvider {}

    private static final Offer JAVA = new Offer("java", 0, new KernelProvider.Loading.Loaded(Kernels.java()));
    private static final Offer BROKEN =
            new Offer("broken", 100, new KernelProvider.Loading.Unavailable("libbroken.so is missing"));

    @Test
    void fallsBackLoudlyWhenTheFasterKernelDoesNotLoad() {
        assertThat(Kernels.choose(Kernels.FASTEST, List.of(JAVA, BROKEN)).name())
                .isEqualTo("java");
        assertThat(log.list).extracting(ILoggingEvent::getLevel).containsExactly(Level.WARN, Level.INFO);
        assertThat(log.list.get(0).getFormattedMessage())
                .contains("event=kernel_unavailable kernel=broken reason=\"libbroken.so is missing\"");
        assertThat(log.list.get(1).getFormattedMessage()).contains("event=kernel_chosen kernel=java");
    }

    @Test
    void refusesToReplaceAKernelThatWasForced() {
        assertThatThrownBy(() -> Kernels.choose("broken", List.of(JAVA, BROKEN)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("kernel 'broken' does not load: broken: libbroken.so is missing");
    }

    @Test
    void refusesAnUnknownName() {
        assertThatThrownBy(() -> Kernels.choose("jva", List.of(JAVA, BROKEN)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("no kernel 'jva' (ecfs.kernel); known are auto, broken, java");
    }

    @Test
    void alwaysHasTheJavaKernel() {
        assertThat(Kernels.choose("java").name()).isEqualTo("java");
    }
}
