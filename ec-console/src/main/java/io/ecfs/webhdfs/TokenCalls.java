package io.ecfs.webhdfs;

import java.util.Collections;
import java.util.List;
import org.apache.hadoop.security.token.SecretManager.InvalidToken;

/** Delegation tokens, which ECFS has not: answers of an HDFS without security. */
final class TokenCalls {
    static final List<WebHdfsOperation> OPERATIONS = List.of(
            // Its clients take a token that is null for "no security here".
            WebHdfsOperation.of(
                    Verb.GET,
                    "GETDELEGATIONTOKEN",
                    call -> WebHdfsAnswer.json(Collections.singletonMap("Token", null))),
            WebHdfsOperation.of(Verb.PUT, "RENEWDELEGATIONTOKEN", TokenCalls::refuse),
            WebHdfsOperation.of(Verb.PUT, "CANCELDELEGATIONTOKEN", TokenCalls::refuse));

    private TokenCalls() {}

    private static WebHdfsAnswer refuse(WebHdfsCall call) throws InvalidToken {
        throw new InvalidToken("there are no delegation tokens: this cluster has issued none");
    }
}
