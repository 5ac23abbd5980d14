package io.ecfs.token;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.Greeting;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The secret that the daemons of one cluster share: who has it is a namenode or a datanode of that cluster. Each end of
 * a connection proves that it has it by an HMAC-SHA256 (RFC 2104) over both greetings with a fresh nonce of each end,
 * so that a recorded proof is worth nothing (ISO/IEC 9798-4, mutual authentication in three passes); the secret itself
 * is never sent. Several secrets are accepted, the first one proves: so it is replaced while the cluster runs.
 */
public final class JoinToken {
    /** Of one secret, and of a nonce. */
    public static final int BYTES = 32;

    private static final String DOMAIN = "ecfs join token 1";
    private static final Pattern LINE = Pattern.compile("[0-9a-fA-F]{" + 2 * BYTES + "}");

    private final List<Hmac> secrets;

    /** The end that proves: a proof of one end is invalid for the other. */
    public enum Prover {
        CALLER,
        SERVER
    }

    private JoinToken(List<Hmac> secrets) {
        this.secrets = secrets;
    }

    /**
     * The token whose file has these lines.
     *
     * @throws EcfsException {@code INVALID_ARGUMENT}, without a word of what they say
     */
    public static JoinToken of(List<String> lines) throws EcfsException {
        List<String> some = lines.stream()
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .toList();
        if (some.isEmpty() || !some.stream().allMatch(line -> LINE.matcher(line).matches())) {
            throw new EcfsException(
                    ErrorCode.INVALID_ARGUMENT,
                    "a join token is one or more lines of " + 2 * BYTES + " hexadecimal digits each");
        }
        return new JoinToken(some.stream()
                .map(line -> new Hmac(HexFormat.of().parseHex(line)))
                .toList());
    }

    /** The proof of one end of the connection that begins with these greetings, which both have a nonce. */
    public String prove(Prover prover, Greeting.Hello hello, Greeting.Welcome welcome) {
        return HexFormat.of().formatHex(secrets.get(0).sign(signed(prover, hello, welcome)));
    }

    /** Returns whether this is the other end's proof with one of the secrets; in constant time. */
    public boolean accepts(String proof, Prover prover, Greeting.Hello hello, Greeting.Welcome welcome) {
        byte[] signed = signed(prover, hello, welcome);
        byte[] shown = HexFormat.of().parseHex(proof);
        boolean accepted = false;
        for (Hmac secret : secrets) {
            accepted |= MessageDigest.isEqual(secret.sign(signed), shown);
        }
        return accepted;
    }

    private static byte[] signed(Prover prover, Greeting.Hello hello, Greeting.Welcome welcome) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeUTF(DOMAIN);
            out.writeUTF(prover.name());
            out.writeUTF(hello.clusterId());
            out.writeUTF(hello.user());
            out.writeUTF(hello.role());
            out.writeUTF(hello.nonce().orElseThrow());
            out.writeUTF(welcome.clusterId());
            out.writeUTF(welcome.role());
            out.writeUTF(welcome.nonce().orElseThrow());
        } catch (IOException e) {
            throw new UncheckedIOException("greetings are short", e);
        }
        return bytes.toByteArray();
    }

    @Override
    public String toString() {
        return "JoinToken[" + secrets.size() + " secrets]";
    }
}
