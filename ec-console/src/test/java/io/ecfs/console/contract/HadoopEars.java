package io.ecfs.console.contract;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import org.apache.log4j.Level;
import org.slf4j.LoggerFactory;

/** Repeats what is logged to Log4j, where Hadoop's suites listen for what its tools say. */
final class HadoopEars extends AppenderBase<ILoggingEvent> {

    /** For the rest of this JVM's life. */
    static void open() {
        Logger tools = (Logger) LoggerFactory.getLogger("org.apache.hadoop.tools");
        HadoopEars ears = new HadoopEars();
        ears.setContext(tools.getLoggerContext());
        ears.start();
        tools.addAppender(ears);
        tools.setLevel(ch.qos.logback.classic.Level.INFO);
    }

    @Override
    protected void append(ILoggingEvent event) {
        org.apache.log4j.Logger.getLogger(event.getLoggerName())
                .log(Level.toLevel(event.getLevel().toString()), event.getFormattedMessage());
    }
}
