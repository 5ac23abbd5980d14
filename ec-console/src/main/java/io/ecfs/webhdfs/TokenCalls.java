package io.ecfs.webhdfs;

import java.util.Collections;
import java.util.List;
import org.apache.hadoop.security.token.SecretManager.InvalidToken;

/** Delegation tokens, which ECFS has not: answers of an HDFS without security. */
final class TokenCalls {
    static final List<Operation> OPERATIONS = List.of(
            // Its clients take a token that is null for "no security here".
            Operation.of(Verb.GET, "GETDELEGATIONTOKEN", call -> Answer.json(Collections.singletonMap("Token", null))),
            Operation.of(Verb.PUT, "RENEWDELEGATIONTOKEN", TokenCalls::refuse),
            Operation.of(Verb.PUT, "CANCELDELEGATIONTOKEN", TokenCalls::refuse));

    private TokenCalls() {}

    private static Answer refuse(Call call) throws InvalidToken {
        throw new InvalidToken("there are no delegation tokens: this cluster has issued none");
    }
}
