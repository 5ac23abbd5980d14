package io.ecfs.namenode.log.ratis;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.Address;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.ratis.protocol.exceptions.NotLeaderException;
import org.apache.ratis.protocol.exceptions.ResourceUnavailableException;
import org.apache.ratis.protocol.exceptions.StateMachineException;

/**
 * Translates failures of Ratis. Everything that ends a leadership is {@code NOT_LEADER}: the caller goes to the leader
 * that the hint names and sends the same request id.
 * @param leading whether this namenode leads: Ratis throws the same exception when too much is under way and when it
 *     stops
 * @param leader id of the namenode that is believed to lead now
 * @param address client address of a namenode
 */
record RatisFailures(
        String self,
        BooleanSupplier leading,
        Supplier<Optional<String>> leader,
        Function<String, Optional<Address>> address) {

    EcfsException of(Throwable thrown) {
        Throwable cause = thrown;
        while ((cause instanceof CompletionException || cause instanceof ExecutionException)
                && cause.getCause() != null) {
            cause = cause.getCause();
        }
        if (cause instanceof EcfsException ours) {
            return ours;
        }
        if (cause instanceof ResourceUnavailableException && leading.getAsBoolean()) {
            return new EcfsException(
                    ErrorCode.BUSY, "too many log entries are under way at namenode " + self + "; try again", cause);
        }
        if (cause instanceof StateMachineException) {
            return new EcfsException(
                    ErrorCode.INTERNAL, "namenode " + self + " failed to apply the command; see its log", cause);
        }
        if (cause instanceof NotLeaderException notLeader && notLeader.getSuggestedLeader() != null) {
            return notLeader(Optional.of(notLeader.getSuggestedLeader().getId().toString()), cause);
        }
        return notLeader(leader.get(), cause);
    }

    EcfsException notLeader() {
        return notLeader(leader.get(), null);
    }

    private EcfsException notLeader(Optional<String> believed, Throwable cause) {
        Optional<String> other = believed.filter(id -> !id.equals(self));
        String hint = other.flatMap(address).map(Address::toString).orElse("");
        String message = other.map(id -> "namenode " + self + " does not lead; " + id + " does")
                .orElse("namenode " + self + " does not lead, and no leader is known yet; try again");
        return new EcfsException(ErrorCode.NOT_LEADER, message, hint, cause);
    }
}
