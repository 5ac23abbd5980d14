package io.ecfs.wire;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.Greeting;
import io.ecfs.message.PrincipalName;

/**
 * Decides whether two peers that have greeted each other may continue; both ends use it. Refusals do not contain text
 * of the peer.
 */
public final class GreetingCheck {
    private static final int MOST_FRAME_BYTES = 64 << 10;
    private static final int MOST_GROUPS = 64;
    private static final int MOST_CHARACTERS = 256;

    private static final String RULE =
            "1 to " + MOST_CHARACTERS + " characters without control, format and line separator characters";

    private GreetingCheck() {}

    /** Bytes of the largest frame before both have greeted: strangers may not make a peer allocate whole frames. */
    public static int frameLimit(WireOptions options) {
        return Math.min(MOST_FRAME_BYTES, options.maxFrameBytes());
    }

    /**
     * Names get into log entries, inodes and log lines.
     *
     * @throws EcfsException {@code INVALID_ARGUMENT} when one of them could not be a name, or there are too many
     */
    public static void requireClean(Greeting.Hello hello) throws EcfsException {
        if (!PrincipalName.valid(hello.user()) && !isDatanodeOfLevel1(hello)) {
            throw new EcfsException(
                    ErrorCode.INVALID_ARGUMENT, "the caller's user name is not valid: use " + PrincipalName.RULE);
        }
        if (hello.groups().size() > MOST_GROUPS) {
            throw new EcfsException(
                    ErrorCode.INVALID_ARGUMENT,
                    "the caller sends " + hello.groups().size() + " groups: send at most " + MOST_GROUPS);
        }
        if (!hello.groups().stream().allMatch(GreetingCheck::isClean)) {
            throw new EcfsException(ErrorCode.INVALID_ARGUMENT, "a group of the caller is not valid: use " + RULE);
        }
        requireClean(hello.role(), hello.clusterId());
    }

    /** @throws EcfsException {@code INVALID_ARGUMENT} */
    public static void requireClean(Greeting.Welcome welcome) throws EcfsException {
        requireClean(welcome.role(), welcome.clusterId());
    }

    private static void requireClean(String role, String clusterId) throws EcfsException {
        if (!isClean(role)) {
            throw new EcfsException(ErrorCode.INVALID_ARGUMENT, "the peer's role is not valid: use " + RULE);
        }
        if (!clusterId.isEmpty() && !isClean(clusterId)) {
            throw new EcfsException(ErrorCode.INVALID_ARGUMENT, "the peer's cluster id is not valid: use " + RULE);
        }
    }

    /** They have their role, with a space, as the name of their user. */
    private static boolean isDatanodeOfLevel1(Greeting.Hello hello) {
        if (!hello.user().equals(hello.role()) || !hello.role().startsWith(PeerIdentity.DATANODE)) {
            return false;
        }
        return DatanodeId.isValid(hello.role().substring(PeerIdentity.DATANODE.length()));
    }

    private static boolean isClean(String text) {
        return !text.isEmpty()
                && text.length() <= MOST_CHARACTERS
                && text.codePoints().noneMatch(c -> Character.isISOControl(c) || isInvisible(Character.getType(c)));
    }

    /** Line ends of Unicode, and what turns the direction of text around. */
    private static boolean isInvisible(int type) {
        return type == Character.FORMAT
                || type == Character.LINE_SEPARATOR
                || type == Character.PARAGRAPH_SEPARATOR
                || type == Character.SURROGATE;
    }

    /**
     * @throws EcfsException {@code INCOMPATIBLE_VERSION}, or {@code WRONG_CLUSTER} when both know their cluster and it
     *     is not the same
     */
    public static void require(Greeting.Hello hello, Greeting.Welcome welcome) throws EcfsException {
        if (hello.protocolVersion() != welcome.protocolVersion()) {
            throw new EcfsException(
                    ErrorCode.INCOMPATIBLE_VERSION,
                    welcome.role() + " speaks protocol version " + welcome.protocolVersion() + ", the caller "
                            + hello.protocolVersion() + "; use the same release on both sides");
        }
        if (!hello.clusterId().isEmpty()
                && !welcome.clusterId().isEmpty()
                && !hello.clusterId().equals(welcome.clusterId())) {
            throw new EcfsException(
                    ErrorCode.WRONG_CLUSTER,
                    welcome.role() + " belongs to cluster " + welcome.clusterId() + ", the caller asks for cluster "
                            + hello.clusterId());
        }
    }
}
