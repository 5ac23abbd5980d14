package io.ecfs.webhdfs;

import java.io.IOException;
import java.util.Optional;

/**
 * A row of the table of operations.
 *
 * @param verb its HTTP method
 * @param name value of the parameter {@code op}
 * @param check of an operation in two steps, what the first step does before it redirects; otherwise empty
 * @param handler what it does; of an operation in two steps, the second
 */
record WebHdfsOperation(Verb verb, String name, Optional<Check> check, Handler handler) {
    /** Serves one request. */
    @FunctionalInterface
    interface Handler {
        /**
         * @throws IOException why it is refused or failed
         * @throws IllegalArgumentException for a parameter or path that is none
         */
        WebHdfsAnswer handle(WebHdfsCall call) throws IOException;
    }

    /** Refuses a request before any byte of it or for it is sent. */
    @FunctionalInterface
    interface Check {
        void check(WebHdfsCall call) throws IOException;
    }

    static WebHdfsOperation of(Verb verb, String name, Handler handler) {
        return new WebHdfsOperation(verb, name, Optional.empty(), handler);
    }

    static WebHdfsOperation inTwoSteps(Verb verb, String name, Check check, Handler handler) {
        return new WebHdfsOperation(verb, name, Optional.of(check), handler);
    }

    /** An operation of HDFS that ECFS has not. */
    static WebHdfsOperation unsupported(Verb verb, String name) {
        return of(verb, name, call -> {
            throw new UnsupportedOperationException(name + " is not supported");
        });
    }
}
