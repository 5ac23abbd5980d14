package io.ecfs.wire;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.Greeting;

/** Whether two peers that have greeted each other may go on; both ends ask it. */
final class GreetingCheck {
    private GreetingCheck() {}

    /**
     * @throws EcfsException {@code INCOMPATIBLE_VERSION}, or {@code WRONG_CLUSTER} when both know their cluster and it is not the same
     */
    static void require(Greeting.Hello hello, Greeting.Welcome welcome) throws EcfsException {
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
